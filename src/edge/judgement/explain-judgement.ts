/** How a request was judged, written down: the steps it took, and for each rule that acted the tree of its expression. */
import {
  explain,
  type Explanation,
  type Filter,
  formatIp,
  Ip,
  type RequestView,
  type RunOptions,
  type Value,
} from '#rules';
import type { CompiledZone, Judgement, StepReport, Triggered } from '#firewall';
import type { Judged, JudgedPart, JudgedRule, JudgedStep } from '#events';
import { valueCharactersMax } from './limits.ts';

export function explainJudgement(zone: CompiledZone, view: RequestView, judgement: Judgement): Judged {
  return {
    version: zone.configuration.version,
    steps: judgement.steps.map(stepOf),
    rules: judgement.triggered.map((triggered) => ruleOf(triggered, view, zone.options)),
  };
}

function stepOf({ end, ...step }: StepReport): JudgedStep {
  return { ...step, end: end.kind === 'complete' ? 'complete' : `${end.kind} by ${end.by}` };
}

function ruleOf(triggered: Triggered, view: RequestView, options: RunOptions): JudgedRule {
  const { ruleId, action, description, filter, score } = triggered;
  return {
    ruleId,
    action,
    description,
    ...(filter === undefined ? {} : { tree: treeOf(filter, view, options) }),
    ...(score === undefined
      ? {}
      : {
          score: {
            total: score.total,
            threshold: score.threshold,
            contributions: score.contributions.map(({ filter: part, ...contribution }) => ({
              ...contribution,
              tree: treeOf(part, view, options),
            })),
          },
        }),
  };
}

export function treeOf(filter: Filter, view: RequestView, options: RunOptions): JudgedPart {
  return partOf(explain(filter, view, options));
}

function partOf({ text, outcome, parts }: Explanation): JudgedPart {
  if (outcome.state === 'not reached') return { text, result: 'not reached' };
  const isTrue = Array.isArray(outcome.result) ? outcome.result.includes(true) : outcome.result === true;
  const { seen } = outcome;
  return {
    text,
    result: isTrue ? 'true' : 'false',
    ...(seen === undefined ? {} : seenOf(seen)),
    ...(parts.length === 0 ? {} : { parts: parts.map(partOf) }),
  };
}

type Seen = NonNullable<Extract<Explanation['outcome'], { state: 'reached' }>['seen']>;

function seenOf({ field, operand, value, matches }: Seen): Partial<JudgedPart> {
  if (isSecret(operand)) return { field, value: hidden(value) };
  const matched = matches.flatMap(({ element, bytes }) => {
    const text = element === undefined ? value : (value as readonly Value[] | undefined)?.[element];
    return typeof text === 'string' && bytes !== undefined
      ? [shortened(text.slice(bytes.start, bytes.end))]
      : [];
  });
  return { field, value: shownValue(value), ...(matched.length === 0 ? {} : { matched }) };
}

/** Whoever reads the log must not be able to become the one who was logged. */
function isSecret(operand: string): boolean {
  return /http\.cookie|http\.request\.cookies|authorization|x-auth-key|api[-_]?key|password|"cookie"/i.test(
    operand,
  );
}

function hidden(value: Value | undefined): string {
  return typeof value === 'string' ? `(hidden, ${value.length} bytes)` : '(hidden)';
}

function shownValue(value: Value | undefined): string {
  if (value === undefined) return '(nothing)';
  if (typeof value === 'string') return shortened(value);
  if (value instanceof Ip) return formatIp(value);
  if (value instanceof Map) return shortened([...value.keys()].join(', '));
  if (Array.isArray(value)) return shortened(value.map((each: Value) => shownValue(each)).join(', '));
  return String(value);
}

/** Bytes that are UTF-8 are shown as text, others as they are. */
function shortened(bytes: string): string {
  const cut = bytes.length > valueCharactersMax ? `${bytes.slice(0, valueCharactersMax)}…` : bytes;
  return Buffer.from(cut, 'latin1').toString('utf8');
}
