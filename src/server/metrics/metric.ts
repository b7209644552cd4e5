/**
 * The three kinds of metrics, each a family of series that differ in their labels, and their text form (Prometheus text
 * format 0.0.4).
 */

export type Labels = Readonly<Record<string, string>>;

export interface Metric {
  readonly name: string;
  /** The lines of this family. */
  write(): string;
}

/** The maximum number of series of a family. Labels come from our own tables, so more is a bug; it must not cost memory. */
const seriesMax = 5_000;

abstract class Family<Series> implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #type: string;
  readonly #series = new Map<string, Series>();

  constructor(name: string, type: string, help: string) {
    this.name = name;
    this.#type = type;
    this.#help = help;
  }

  write(): string {
    const lines = [`# HELP ${this.name} ${this.#help}`, `# TYPE ${this.name} ${this.#type}`];
    for (const [labels, series] of this.#series) lines.push(...this.lines(labels, series));
    return `${lines.join('\n')}\n`;
  }

  /** The series with these labels, created on first use; keep a reference where speed matters. */
  with(labels: Labels = {}): Series {
    const key = formatLabels(labels);
    let series = this.#series.get(key);
    if (series === undefined) {
      series = this.create();
      if (this.#series.size < seriesMax) this.#series.set(key, series);
    }
    return series;
  }

  protected abstract create(): Series;
  protected abstract lines(labels: string, series: Series): string[];
}

export class Count {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

export class Counter extends Family<Count> {
  constructor(name: string, help: string) {
    super(name, 'counter', help);
  }

  protected create(): Count {
    return new Count();
  }

  protected lines(labels: string, { value }: Count): string[] {
    return [`${this.name}${addBraces(labels)} ${value}`];
  }
}

/** A value that is read when metrics are written. */
export class Gauge implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #type: 'gauge' | 'counter';
  readonly #read: () => Iterable<readonly [Labels, number]>;

  constructor(
    name: string,
    help: string,
    read: () => Iterable<readonly [Labels, number]> | number,
    type: 'gauge' | 'counter' = 'gauge',
  ) {
    this.name = name;
    this.#help = help;
    this.#type = type;
    this.#read = () => {
      const value = read();
      return typeof value === 'number' ? [[{}, value] as const] : value;
    };
  }

  write(): string {
    const lines = Array.from(
      this.#read(),
      ([labels, value]) => `${this.name}${addBraces(formatLabels(labels))} ${value}`,
    );
    return [`# HELP ${this.name} ${this.#help}`, `# TYPE ${this.name} ${this.#type}`, ...lines, ''].join(
      '\n',
    );
  }
}

export class Distribution {
  /** One more than there are bounds: the last counts what is above all bounds. */
  readonly counts: Float64Array;
  readonly #bounds: readonly number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

export class Histogram extends Family<Distribution> {
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, bounds: readonly number[]) {
    super(name, 'histogram', help);
    this.#bounds = bounds;
  }

  protected create(): Distribution {
    return new Distribution(this.#bounds);
  }

  /** Each bucket includes the counts of the smaller ones. */
  protected lines(labels: string, { counts, sum }: Distribution): string[] {
    const comma = labels === '' ? '' : ',';
    let total = 0;
    const lines = Array.from(counts, (count, index) => {
      total += count;
      return `${this.name}_bucket{${labels}${comma}le="${this.#bounds[index] ?? '+Inf'}"} ${total}`;
    });
    return [
      ...lines,
      `${this.name}_sum${addBraces(labels)} ${sum}`,
      `${this.name}_count${addBraces(labels)} ${total}`,
    ];
  }
}

function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escapeCharacter)}"`)
    .join(',');
}

function escapeCharacter(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}

function addBraces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}
