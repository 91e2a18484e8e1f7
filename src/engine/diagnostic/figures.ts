/** Figures and times as a person reads them, with their units: on the terminal, in reports and on the page. @module */

/** A value that isn't known. */
export const UNKNOWN = "–";

/** `412 ms`, `2.31 s`, `75.2 s`. */
export function duration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return UNKNOWN;
  if (milliseconds < 9.95) return `${Number(milliseconds.toFixed(milliseconds < 0.995 ? 2 : 1))} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 59_995 ? 2 : 1)} s`;
}

/** `12.5%`. */
export function share(rate: number | null | undefined): string {
  return rate === null || rate === undefined ? UNKNOWN : `${(rate * 100).toFixed(1)}%`;
}

/** `12,345`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 call`, `2 calls`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `09:05:07`, in local time. */
export function clock(milliseconds: number): string {
  const date = new Date(milliseconds);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** `2026-05-01 09:05:07`, in local time. */
export function dateAndClock(milliseconds: number): string {
  const date = new Date(milliseconds);
  const day = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${date.getFullYear()}-${day.join("-")} ${clock(milliseconds)}`;
}

/** `3 min`, `2 h 5 min`, `4 d 2 h`. */
export function age(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
