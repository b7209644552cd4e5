/**
 * Metrics: families of series that differ in their labels. Counters and histograms are updated when something happens;
 * readings are taken when metrics are requested. `writePrometheus` writes a family as text; the OTLP exporter encodes
 * the same data.
 */
import { Distribution } from '#base';

export type Labels = Readonly<Record<string, string>>;

/** The values of a family at one moment. */
export interface MetricData {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly points: readonly Point[];
}

export interface Point {
  readonly labels: Labels;
  /** A distribution if the family is a histogram. */
  readonly value: number | Distribution;
}

export interface Metric {
  readonly name: string;
  read(): MetricData;
}

/** All metrics of the program; those of other processes must be requested. */
export type ReadMetrics = () => readonly Metric[] | Promise<readonly Metric[]>;

/** The maximum number of series of a family. Labels are fixed sets, so more is a bug; it must not cost memory. */
const seriesMax = 5_000;

interface LabelledSeries<Value> {
  readonly labels: Labels;
  readonly value: Value;
}

abstract class Family<Value> implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #type: MetricData['type'];
  readonly #series = new Map<string, LabelledSeries<Value>>();

  constructor(name: string, type: MetricData['type'], help: string) {
    this.name = name;
    this.#type = type;
    this.#help = help;
  }

  read(): MetricData {
    const points = Array.from(this.#series.values(), ({ labels, value }) => ({
      labels,
      value: this.toPoint(value),
    }));
    return { name: this.name, help: this.#help, type: this.#type, points };
  }

  /** The series with these labels, created on first use; keep a reference where speed matters. */
  with(labels: Labels = {}): Value {
    const key = formatLabels(labels);
    const found = this.#series.get(key);
    if (found !== undefined) return found.value;
    const value = this.create();
    if (this.#series.size < seriesMax) this.#series.set(key, { labels, value });
    return value;
  }

  protected abstract create(): Value;
  protected abstract toPoint(value: Value): Point['value'];
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

  protected toPoint({ value }: Count): number {
    return value;
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

  protected toPoint(value: Distribution): Distribution {
    return value;
  }
}

type ReadValue = number | Distribution | Iterable<readonly [Labels, number]> | undefined;

/** Values that are read when metrics are requested; undefined if there are none yet. */
export class Reading implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #type: MetricData['type'];
  readonly #read: () => ReadValue;

  constructor(name: string, help: string, read: () => ReadValue, type: MetricData['type'] = 'gauge') {
    this.name = name;
    this.#help = help;
    this.#type = type;
    this.#read = read;
  }

  read(): MetricData {
    return { name: this.name, help: this.#help, type: this.#type, points: this.#measure() };
  }

  /** Without a free descriptor the system reports nothing about a process: other metrics are read nevertheless. */
  #measure(): readonly Point[] {
    try {
      return toPoints(this.#read());
    } catch {
      return [];
    }
  }
}

function toPoints(value: ReadValue): readonly Point[] {
  if (value === undefined) return [];
  if (typeof value === 'number' || value instanceof Distribution) return [{ labels: {}, value }];
  return Array.from(value, ([labels, number]) => ({ labels, value: number }));
}

/** In Prometheus text format 0.0.4. */
export function writePrometheus({ name, help, type, points }: MetricData): string {
  const lines = points.flatMap(({ labels, value }) =>
    typeof value === 'number'
      ? [`${name}${addBraces(formatLabels(labels))} ${value}`]
      : listBuckets(name, formatLabels(labels), value),
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** Each bucket includes the counts of the smaller ones. */
function listBuckets(name: string, labels: string, { bounds, counts, sum }: Distribution): string[] {
  const comma = labels === '' ? '' : ',';
  let total = 0;
  const lines = Array.from(counts, (count, index) => {
    total += count;
    return `${name}_bucket{${labels}${comma}le="${bounds[index] ?? '+Inf'}"} ${total}`;
  });
  return [...lines, `${name}_sum${addBraces(labels)} ${sum}`, `${name}_count${addBraces(labels)} ${total}`];
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
