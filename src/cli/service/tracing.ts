/** Traces for Deno's OpenTelemetry exporter: a span per answer with its decisions, only if `OTEL_DENO` is set. @module */
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { withoutKnown } from "../../admin/audit/scrub.ts";
import { escaped } from "../../engine/diagnostic/visible.ts";
import type { RequestFacts, RequestWatch } from "../../proxy/exchange/watch.ts";

export function traceRequest(facts: RequestFacts): RequestWatch {
  const clean = (text: string) => escaped(withoutKnown(text, facts.secrets));
  const span = trace.getTracer("dragoman").startSpan("dragoman.answer", {
    attributes: {
      "dragoman.request": facts.id,
      "dragoman.client": facts.client ?? "none",
      "dragoman.model": clean(facts.model ?? "none"),
      "dragoman.upstream": facts.upstream,
      "dragoman.mode": facts.mode,
      "dragoman.conversation": facts.conversation,
    },
  });
  return {
    observe(event) {
      if (event.kind !== "note") return;
      const decision = {
        "dragoman.rule": event.rule,
        "dragoman.tool": clean(event.tool ?? "none"),
        "dragoman.decision": event.reason,
      };
      // The events contain every decision. The span repeats the last one, so that a search finds it.
      span.addEvent("dragoman.decision", decision);
      span.setAttributes(decision);
    },
    end({ status, error, durationMs, addedMs }) {
      span.setAttributes({
        "http.response.status_code": status,
        "dragoman.duration_ms": durationMs,
        "dragoman.added_ms": addedMs,
      });
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end();
    },
  };
}
