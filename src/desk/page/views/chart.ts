/** A line chart of the page: the values under the pointer are in its legend. @module */
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { clock } from "../../../engine/diagnostic/figures.ts";
import { drawChart, type LineChart } from "../../figures/line_chart.ts";
import { html } from "../html.ts";

export interface ChartProperties {
  readonly chart: LineChart;
  /** The times, in seconds since 1970. */
  readonly times: readonly number[];
}

export function Chart({ chart, times }: ChartProperties) {
  const [over, setOver] = useState<number>();
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const place = (currentTarget as Element).querySelector(".plot")?.getBoundingClientRect();
    const at = place === undefined
      ? -1
      : Math.round((clientX - place.left) / place.width * (times.length - 1));
    setOver(times[at] === undefined ? undefined : at);
  };
  const drawn = drawChart(chart, { times, format: hourOf, over });
  return html`
    <figure class="chart" onPointerMove=${follow} onPointerLeave=${() => setOver(undefined)}
      dangerouslySetInnerHTML=${{ __html: drawn }} />
  `;
}

/** `09:05`. */
function hourOf(seconds: number): string {
  return clock(seconds * 1000).slice(0, -3);
}
