/** Reads the response to a question. */
import {
  type Answer,
  failedStatusMin,
  givenStatusMin,
  noAnswer,
  type Question,
  readAnsweredAction,
} from '#firewall';
import { hasControl } from '../wire/field-lines.ts';
import { findFieldName } from '../wire/field-names.ts';
import { type HeaderField, readField } from '../wire/exchange.ts';
import type { AskedResponse } from './asked-response.ts';

/** With this header field, an answer asks for a challenge. */
const actionName = 'gatehouse-action';

export interface ReadAnswer {
  readonly answer: Answer;
  /** How long the answer may be cached. */
  readonly keepMs: number;
}

export function readAnswer(question: Question, response: AskedResponse): ReadAnswer {
  const { status, headers } = response;
  if (status >= failedStatusMin)
    return { answer: noAnswer(`its answer had the status ${status}`), keepMs: 0 };
  const isGiven = status >= givenStatusMin;
  const asked = isGiven ? '' : readField(headers, actionName);
  const action = readAnsweredAction(asked);
  if (asked !== '' && action === undefined)
    return { answer: noAnswer(`its answer has an unknown ${actionName}`), keepMs: 0 };
  const answer: Answer = {
    kind: 'answered',
    status,
    from: 'answered',
    ...(action === undefined ? {} : { action }),
    fields: isGiven ? [] : copyFields(question, headers),
    ...(isGiven ? { given: { status, fields: headers.filter(isForVisitor), body: response.body } } : {}),
  };
  return { answer, keepMs: readKeepSeconds(question, readField(headers, 'cache-control')) * 1_000 };
}

function copyFields({ copiedFields }: Question, headers: readonly HeaderField[]): HeaderField[] {
  if (copiedFields.length === 0) return [];
  const copied = new Set(copiedFields);
  return headers.filter(([name, value]) => copied.has(name.toLowerCase()) && !hasControl(value));
}

/** False for fields that frame the answer or belong to its connection: the edge writes its own. */
function isForVisitor([name, value]: HeaderField): boolean {
  const known = findFieldName(name);
  const isOurs = known === undefined || (known.role !== 'plain' && known.role !== 'single');
  return !isOurs && !known.lower.startsWith('gatehouse-') && !hasControl(value);
}

/** The answer may ask for a shorter time. */
function readKeepSeconds({ keepSeconds }: Question, cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
  const age = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1];
  return age === undefined ? keepSeconds : Math.min(keepSeconds, Number(age));
}
