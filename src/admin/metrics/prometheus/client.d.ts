/** The types of what `client.js` exports, as far as it is used; a test compares them with those of the package. @module */

type Labels = Readonly<Record<string, string | number>>;

interface Options<Metric> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly registers: Registry[];
  /** Called when the page is read, to set the current value. */
  collect?(this: Metric): void;
}

export declare class Counter {
  constructor(options: Options<Counter>);
  inc(value?: number): void;
  inc(labels: Labels, value?: number): void;
  reset(): void;
}

export declare class Gauge {
  constructor(options: Options<Gauge>);
  inc(value?: number): void;
  dec(value?: number): void;
  set(value: number): void;
  set(labels: Labels, value: number): void;
}

export declare class Histogram {
  constructor(options: Omit<Options<Histogram>, "collect"> & { readonly buckets: number[] });
  observe(value: number): void;
}

export declare class Registry {
  readonly contentType: string;
  metrics(): Promise<string>;
}
