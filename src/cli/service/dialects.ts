/** Checks the dialects that the configuration names for upstreams and models that get tools in the prompt. @module */
import type { LoadedConfig } from "../../proxy/config/load.ts";
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import { present } from "../../engine/object/present.ts";
import type { LoadedRules } from "../../engine/rule/read.ts";
import type { Rule } from "../../engine/rule/schema.ts";

interface Named {
  readonly path: readonly (string | number)[];
  readonly dialect?: string | undefined;
  /** The only rules that read its answers. */
  readonly rules?: readonly string[] | undefined;
  readonly isPrompted: boolean;
}

/** What is wrong with `dialect`, or with its absence. */
export function dialectProblems(config: LoadedConfig, { rules }: Pick<LoadedRules, "rules">): Diagnostic[] {
  const { upstreams, models, policy } = config.config;
  const areAllPrompted = upstreams.length > 0 && upstreams.every(({ tools }) => tools === "prompted");
  const named: Named[] = [
    ...upstreams.map((one, index) => ({
      ...one,
      path: ["upstreams", index],
      isPrompted: one.tools === "prompted",
    })),
    ...Object.entries(models).map(([model, one]) => ({
      ...one,
      path: ["models", model],
      isPrompted: one.tools === undefined ? areAllPrompted : one.tools === "prompted",
    })),
  ];
  const isRead = (rule: Rule, own: readonly string[] | undefined) =>
    (own?.includes(rule.rule) ?? rule.enabled) && rule.confidence >= policy.minimum_confidence;
  return named.flatMap(({ path, dialect, rules: own, isPrompted }): Diagnostic[] => {
    const read = rules.filter((rule) => isRead(rule, own));
    if (dialect === undefined) {
      const canSpeak = ({ speak }: Rule) =>
        speak !== undefined && (own !== undefined || speak.models.includes("*"));
      if (!isPrompted || read.some(canSpeak)) return [];
      if (own !== undefined) return [unspoken(config, path)];
      return path[0] === "upstreams" ? [unreached(config, path)] : [];
    }
    const found = rules.find(({ rule }) => rule === dialect);
    const location = config.locate([...path, "dialect"]);
    const spoken = rules.filter(({ speak }) => speak !== undefined).map(({ rule }) => rule);
    if (found?.speak === undefined) {
      return [{
        code: "dialect_unspoken",
        severity: "error",
        message: found === undefined
          ? `Cannot write the dialect of rule "${dialect}": it does not exist`
          : `Cannot write the dialect of rule "${dialect}": its file has no \`speak\``,
        ...present({ location }),
        expected: "a rule with `speak`",
        help: (found === undefined ? didYouMean(dialect, spoken) : undefined) ??
          "rules/shipped_rules.md lists the rules with `speak`",
      }];
    }
    return read.includes(found) ? [] : [{
      code: "dialect_unread",
      severity: "error",
      message: `The rule "${dialect}" would write calls for a model whose answers it does not read`,
      ...present({ location }),
      expected: "a rule that is on and at or above `policy.minimum_confidence`",
      help: `enable it with \`rules: { enable: [${dialect}] }\`, or choose another dialect`,
    }];
  });
}

function unspoken(config: LoadedConfig, path: Named["path"]): Diagnostic {
  const location = config.locate([...path, "rules"]);
  return {
    code: "dialect_unspoken",
    severity: "error",
    message: "None of these rules has `speak`, so the model can't get tools in its prompt",
    ...present({ location }),
    expected: "at least one rule with `speak`",
    help: "add such a rule, or set `tools: native`",
  };
}

function unreached(config: LoadedConfig, path: Named["path"]): Diagnostic {
  const location = config.locate([...path, "tools"]);
  return {
    code: "dialect_unspoken",
    severity: "warning",
    message: "Models that no rule lists under `speak.models` get their tools natively",
    ...present({ location }),
    expected: "a `dialect`, or an enabled rule with `*` under `speak.models`",
    help: "rules/shipped_rules.md lists the rules with `speak`",
  };
}
