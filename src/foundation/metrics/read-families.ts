/** Parses families of metrics from another process. A process that runs user code can send anything. */
import { ProtocolError, readDistribution, readFields, readList, readText } from '#processes';
import type { Labels, MetricData, Point } from './metric.ts';

const familiesMax = 500;
const pointsMax = 20_000;
const helpCharactersMax = 500;
const labelCharactersMax = 1_000;
const familyName = /^gatehouse_[a-z0-9_]{1,100}$/;
const labelName = /^[a-z_]{1,50}$/;
const types = ['counter', 'gauge', 'histogram'] as const;

/** Throws a `ProtocolError` if the value is invalid. */
export function readFamilies(value: unknown): readonly MetricData[] {
  return readList(value, 'the metrics', familiesMax).map((each) => {
    const { name, help, type, points } = readFields(each, 'a metric');
    const known = types.find((known) => known === type);
    if (typeof name !== 'string' || !familyName.test(name) || known === undefined)
      throw new ProtocolError('a metric has no name or no type');
    return {
      name,
      help: readText(help, 'the help of a metric', helpCharactersMax).replaceAll('\n', ' '),
      type: known,
      points: readList(points, 'the points of a metric', pointsMax).map(readPoint),
    };
  });
}

function readPoint(value: unknown): Point {
  const { labels, value: number } = readFields(value, 'a point of a metric');
  return {
    labels: readLabels(labels),
    value: typeof number === 'number' ? number : readDistribution(number),
  };
}

function readLabels(value: unknown): Labels {
  const labels = Object.entries(readFields(value, 'the labels of a metric')).map(([name, text]) => {
    if (!labelName.test(name)) throw new ProtocolError('a label of a metric has no name');
    return [name, readText(text, 'a label of a metric', labelCharactersMax)];
  });
  return Object.fromEntries(labels) as Labels;
}
