/** Describes the effects of rules on a request and their reasons, with the places where they matched. */
import {
  explain,
  type Explanation,
  type Filter,
  type Match,
  type RequestView,
  type RunOptions,
  type Seen,
  type Value,
} from '#expressions';
import { formatIp, Ip } from '#addresses';
import { showText } from '#text';
import { OutOfSteps, StepBudget } from '#work';
import {
  type Answer,
  type CompiledZone,
  type Change,
  type Contribution,
  describeEffect,
  describeQuestion,
  describeRate,
  type FoundValue,
  type Question,
  type Score,
  type Triggered,
} from '#firewall';
import {
  decidersMatchesMax,
  foundValuesMax,
  partCharactersMax,
  placeNameCharactersMax,
  valueCharactersMax,
} from '../limits.ts';
import type {
  JudgedChange,
  JudgedDecider,
  JudgedMatch,
  JudgedPart,
  JudgedPlace,
  JudgedRule,
  JudgedScore,
} from './judged.ts';
import { findByDetector } from './findings.ts';
import { listFound } from './summary.ts';
import { Places } from './places.ts';
import { isOfResponse, readVariable } from './seclang-variables.ts';
import { hidden, isSecretOperand, RequestSecrets } from './secrets.ts';

export function pickRuleFields({ source, ruleId, rulesetId, action, description }: Triggered): JudgedRule {
  return { source, ruleId, rulesetId, action, description };
}

export function cutPart(whole: string): string {
  return whole.length > partCharactersMax ? `${whole.slice(0, partCharactersMax)}…` : whole;
}

type Reason = Partial<Pick<Contribution, 'filter' | 'values' | 'description'>>;

export class Writer {
  readonly #view: RequestView;
  readonly #options: RunOptions;
  readonly #secrets: RequestSecrets;
  readonly #places: Places;
  readonly #budget: StepBudget;
  /** The request header that contains the whole view. */
  readonly #header: string | undefined;

  constructor(view: RequestView, options: RunOptions, budget: StepBudget, header?: string) {
    this.#view = view;
    this.#header = header;
    this.#budget = budget;
    this.#places = new Places(view);
    this.#options = options;
    this.#secrets = new RequestSecrets(view);
  }

  writeRule(triggered: Triggered): JudgedRule {
    const { filter, score, evidence, rate, asked } = triggered;
    const tree = filter && this.writeTree(filter);
    return {
      ...pickRuleFields(triggered),
      ...(tree === undefined ? {} : { tree }),
      ...(score === undefined ? {} : { score: this.#writeScore(score) }),
      ...(evidence === undefined ? {} : { evidence: this.#writeScore(evidence) }),
      ...(rate === undefined ? {} : { rate: describeRate(rate) }),
      ...(asked === undefined ? {} : { asked: this.#writeQuestion(asked.question, asked.answer) }),
    };
  }

  writeChange({ source, phase, ruleId, rulesetId, description, filter, effect }: Change): JudgedChange {
    const tree = filter && this.writeTree(filter);
    return {
      source,
      phase,
      ruleId,
      rulesetId,
      description,
      effect:
        effect.kind === 'question'
          ? this.#writeQuestion(effect.question, effect.answer)
          : showText(describeEffect(effect)).slice(0, valueCharactersMax),
      ...(tree === undefined ? {} : { tree }),
    };
  }

  /** The name of an object may be that of a session. */
  #writeQuestion(question: Question, answer: Answer | undefined): string {
    const text = describeQuestion(question, answer);
    return this.#showBytes(text, { start: 0, end: Math.min(text.length, valueCharactersMax) });
  }

  /** Without its tree: the places where it matched are enough to judge whether it is right. */
  writeDecider(triggered: Triggered): JudgedDecider {
    const { filter, score } = triggered;
    const parts = score?.contributions ?? (filter === undefined ? [] : [{ filter }]);
    const found = parts
      .slice(0, decidersMatchesMax)
      .flatMap((each) => {
        const tree = this.#writeReason(each);
        return tree === undefined ? [] : listFound(tree);
      })
      .slice(0, decidersMatchesMax);
    return {
      ...pickRuleFields(triggered),
      ...(found.length === 0 ? {} : { found }),
      ...(score === undefined ? {} : { contributors: score.contributions.map(({ ruleId }) => ruleId) }),
    };
  }

  #writeScore({ total, threshold, contributions }: Score): JudgedScore {
    return {
      total,
      threshold,
      contributions: contributions.map((contribution) => {
        const { ruleId, description, score, filter } = contribution;
        const tree = this.#writeReason(contribution) ?? {
          text: cutPart(filter?.source ?? description),
          result: 'not reached',
        };
        return { ruleId, description, score, tree };
      }),
    };
  }

  /** Why a rule matched: its expression, or the values that it matched on. */
  #writeReason({ filter, values, description }: Reason): JudgedPart | undefined {
    if (filter !== undefined) return this.writeTree(filter);
    // The name of a part says more than the line that contains it.
    const sorted = (values ?? []).toSorted(
      (a, b) => Number(readVariable(a.name) === undefined) - Number(readVariable(b.name) === undefined),
    );
    const parts = sorted.slice(0, foundValuesMax).map((found) => this.#writeFound(found));
    return { text: description ?? '', result: 'true', ...(parts.length === 0 ? {} : { parts }) };
  }

  #writeFound({ name, value }: FoundValue): JudgedPart {
    const cut = name.length > placeNameCharactersMax ? `${name.slice(0, placeNameCharactersMax)}…` : name;
    const field = showText(cut);
    const end = Math.min(value.length, valueCharactersMax);
    // A response belongs to the application: what leaks from it must not leak into the log as well.
    const isHidden = isSecretOperand(name) || isOfResponse(name);
    const text = isHidden ? hidden : this.#showBytes(value, { start: 0, end });
    const where = this.#places.findVariable(name);
    const match: JudgedMatch = {
      text,
      start: 0,
      end: value.length,
      ...(where === undefined ? {} : { where: this.#writePlace(where) }),
    };
    return {
      text: field,
      result: 'true',
      field,
      value: end < value.length && !isHidden ? `${text}…` : text,
      matched: [match],
    };
  }

  /** Undefined if the steps for explaining the request are used up. */
  writeTree(filter: Filter): JudgedPart | undefined {
    try {
      return this.#budget.run(() => this.#writePart(explain(filter, this.#view, this.#options)));
    } catch (error) {
      if (error instanceof OutOfSteps) return undefined;
      throw error;
    }
  }

  #writePart({ text: whole, outcome, parts }: Explanation): JudgedPart {
    const text = cutPart(whole);
    if (outcome.state === 'not reached') return { text, result: 'not reached' };
    const isTrue = Array.isArray(outcome.result) ? outcome.result.includes(true) : outcome.result === true;
    const { seen } = outcome;
    return {
      text,
      result: isTrue ? 'true' : 'false',
      ...(seen === undefined ? {} : this.#writeSeen(seen)),
      ...(parts.length === 0 ? {} : { parts: parts.map((part) => this.#writePart(part)) }),
    };
  }

  #writeSeen(seen: Seen): Partial<JudgedPart> {
    const { field, operand, value, matches } = seen;
    const isSecret = isSecretOperand(operand);
    const matched = [
      ...matches.flatMap((match) => this.#writeMatch(seen, match, isSecret)),
      ...(matches.length === 0 ? [] : this.#writeDetected(field)),
    ];
    return {
      field,
      value: isSecret ? hidden : this.#writeValue(value, matches),
      ...(matched.length === 0 ? {} : { matched }),
    };
  }

  #writeMatch(seen: Seen, match: Match, isSecret: boolean): JudgedMatch[] {
    const { value } = seen;
    const { element, bytes } = match;
    const text = element === undefined ? value : (value as readonly Value[] | undefined)?.[element];
    if (typeof text !== 'string' || bytes === undefined) return [];
    const { start, end } = bytes;
    const shown = isSecret
      ? hidden
      : this.#showBytes(text, { start, end: Math.min(end, start + valueCharactersMax) });
    const where = this.#places.find(seen, match);
    return [
      {
        text: shown,
        start,
        end,
        ...(element === undefined ? {} : { element }),
        ...(where === undefined ? {} : this.#writeWhere(where)),
      },
    ];
  }

  /** The matches behind a rule that compares a detector's confidence. */
  #writeDetected(field: string): JudgedMatch[] {
    const found = findByDetector(this.#view, field);
    if (found === undefined) return [];
    const { read, at, why, where, isSecret } = found;
    const text = isSecret ? hidden : this.#showBytes(read, { start: 0, end: read.length });
    return [{ text, start: at, end: at + read.length, why, ...this.#writeWhere(where) }];
  }

  /** For a part of an address in a header, `where` is the header, and the part is named in `why`. */
  #writeWhere(place: JudgedPlace): Pick<JudgedMatch, 'where' | 'why'> {
    if (this.#header === undefined) return { where: this.#writePlace(place) };
    const { kind, name } = this.#writePlace(place);
    const part = name === '' ? kind : `${kind} "${name}"`;
    return { where: { kind: 'header', name: this.#header }, why: `in the ${part} of the address` };
  }

  #writePlace({ name, ...place }: JudgedPlace): JudgedPlace {
    const end = Math.min(name.length, placeNameCharactersMax);
    const shown = this.#showBytes(name, { start: 0, end });
    return { ...place, name: end < name.length ? `${shown}…` : shown };
  }

  #writeValue(value: Value | undefined, matches: readonly Match[]): string {
    if (value === undefined) return '(nothing)';
    if (typeof value === 'string') return this.#cutAround(value, matches[0]?.bytes?.start ?? 0);
    if (typeof value !== 'object') return String(value);
    if (value instanceof Ip) return formatIp(value);
    // The names show which values exist; the values can be anything.
    if (value instanceof Map) return this.#cutAround([...value.keys()].join(', '), 0);
    return this.#writeList(value as readonly Value[], matches);
  }

  /** The values that matched; the first ones if none did. */
  #writeList(values: readonly Value[], matches: readonly Match[]): string {
    const matched = matches.flatMap((match) => (match.element === undefined ? [] : [match]));
    const shown =
      matched.length === 0 ? values.slice(0, 10) : matched.map(({ element }) => values[element!]!);
    let text = '';
    for (const [index, each] of shown.entries()) {
      if (text.length > valueCharactersMax) return `${text}, …`;
      text += `${index === 0 ? '' : ', '}${this.#writeValue(each, matched.slice(index, index + 1))}`;
    }
    return shown.length < values.length && matched.length === 0 ? `${text}, …` : text;
  }

  /** As much of the text around the position as fits. */
  #cutAround(text: string, place: number): string {
    const start = text.length <= valueCharactersMax ? 0 : Math.max(0, place - valueCharactersMax / 4);
    const end = Math.min(text.length, start + valueCharactersMax);
    const shown = this.#showBytes(text, { start, end });
    return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
  }

  /** Bytes that are valid UTF-8 are shown as text. */
  #showBytes(bytes: string, { start, end }: { readonly start: number; readonly end: number }): string {
    return showText(this.#secrets.show(bytes, start, end));
  }
}

/** Rules that matched the page in the Referer are explained with the request for that page. */
export function createWriter(
  { options }: CompiledZone,
  view: RequestView,
  budget: StepBudget,
): Pick<Writer, 'writeRule' | 'writeDecider'> {
  const writer = new Writer(view, options, budget);
  let ofPage: Writer | undefined;
  const choose = ({ isOfPage }: Triggered): Writer => {
    const page = isOfPage && view.referredPage()?.create('whole');
    return page ? (ofPage ??= new Writer(page, options, budget, 'referer')) : writer;
  };
  return {
    writeRule: (triggered) => choose(triggered).writeRule(triggered),
    writeDecider: (triggered) => choose(triggered).writeDecider(triggered),
  };
}
