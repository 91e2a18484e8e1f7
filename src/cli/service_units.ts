/** What starts the proxy with the machine: a unit of systemd, for the system or for one user, or a job of launchd. @module */

/** What manages services: systemd for the system, systemd for one user, or launchd. */
export type Manager = "systemd" | "systemd-user" | "launchd";

export interface ServicePlan {
  /** What starts the server, as separate words. */
  readonly command: readonly string[];
  /** The absolute path of the folder with dragoman.yaml; the server writes there only. */
  readonly folder: string;
  readonly home: string;
}

const SERVICE = "dragoman";

export function unitPath(manager: Manager, { home }: Pick<ServicePlan, "home">): string {
  switch (manager) {
    case "systemd":
      return `/etc/systemd/system/${SERVICE}.service`;
    case "systemd-user":
      return `${home}/.config/systemd/user/${SERVICE}.service`;
    case "launchd":
      return `${home}/Library/LaunchAgents/${SERVICE}.plist`;
  }
}

export function serviceCommands(
  manager: Manager,
  plan: Pick<ServicePlan, "home">,
): Readonly<Record<"install" | "status" | "remove", readonly (readonly string[])[]>> {
  if (manager === "launchd") {
    const file = unitPath(manager, plan);
    return {
      install: [["launchctl", "load", "-w", file]],
      status: [["launchctl", "list", SERVICE]],
      remove: [["launchctl", "unload", "-w", file]],
    };
  }
  const control = systemctl(manager);
  return {
    install: [[...control, "daemon-reload"], [...control, "enable", "--now", SERVICE]],
    status: [[...control, "--no-pager", "status", SERVICE]],
    remove: [[...control, "disable", "--now", SERVICE]],
  };
}

/** What the exit code of `status` states apart from a failure, as one line; undefined for any other code. */
export function statusText(
  manager: Manager,
  { code, program }: { readonly code: number; readonly program: string },
): string | undefined {
  const isMissing = code === (manager === "launchd" ? 113 : 4);
  if (isMissing) return `The service isn't installed. To install it: \`${program} service install\`\n`;
  if (manager === "launchd" || code !== 3) return undefined;
  return `The service is stopped. To start it: \`${systemctl(manager).join(" ")} start ${SERVICE}\`\n`;
}

function systemctl(manager: "systemd" | "systemd-user"): string[] {
  return manager === "systemd" ? ["systemctl"] : ["systemctl", "--user"];
}

export function unitText(manager: Manager, plan: ServicePlan): string {
  return manager === "launchd" ? launchdJob(plan) : systemdUnit(manager, plan);
}

/** How long open answers may take to end; the default of `limits.drain_timeout_ms` is shorter. */
const STOP_SECONDS = 660;

function systemdUnit(manager: "systemd" | "systemd-user", { command, folder }: ServicePlan): string {
  const isSystem = manager === "systemd";
  return `[Unit]
Description=Dragoman, between coding agents and language models
${isSystem ? "After=network-online.target\nWants=network-online.target\n" : ""}
[Service]
WorkingDirectory=${folder.replaceAll("%", "%%")}
# Keys, one NAME=VALUE a line; readable for you only.
EnvironmentFile=-${folder.replaceAll("%", "%%")}/dragoman.env
ExecStart=${command.map(systemdWord).join(" ")}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
TimeoutStopSec=${STOP_SECONDS}
NoNewPrivileges=yes
${isSystem ? `ProtectSystem=strict\nReadWritePaths=${systemdWord(folder)}\nPrivateTmp=yes\n` : ""}
[Install]
WantedBy=${isSystem ? "multi-user.target" : "default.target"}
`;
}

/** A word as systemd reads it: quoted if need be, and without its own signs. */
function systemdWord(word: string): string {
  const escaped = word.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[\w./:=@%$,+-]+$/.test(escaped) ? escaped : `"${escaped.replace(/["\\]/g, "\\$&")}"`;
}

function launchdJob({ command, folder }: ServicePlan): string {
  const text = (value: string) =>
    `<string>${value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</string>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${text(SERVICE)}
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    ${text(word)}`).join("\n")}
  </array>
  <key>WorkingDirectory</key>${text(folder)}
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>${STOP_SECONDS}</integer>
  <key>StandardOutPath</key>${text(`${folder}/dragoman.log`)}
  <key>StandardErrorPath</key>${text(`${folder}/dragoman.log`)}
</dict>
</plist>
`;
}
