/** Conditions on the existing object: `onlyIf`, as fields or as the headers of a request. */
import type { ObjectCondition, Etag, ObjectRecord } from './r2-records.ts';

interface ConditionFields {
  readonly etagMatches?: string;
  readonly etagDoesNotMatch?: string;
  readonly uploadedBefore?: Date;
  readonly uploadedAfter?: Date;
  readonly secondsGranularity?: boolean;
}

export function readCondition(onlyIf: ConditionFields | Headers | undefined): ObjectCondition | undefined {
  if (onlyIf === undefined || onlyIf === null) return undefined;
  if (onlyIf instanceof Headers) {
    return createCondition({
      etagMatches: readEtags(onlyIf, 'if-match'),
      etagDoesNotMatch: readEtags(onlyIf, 'if-none-match'),
      uploadedBefore: readHeader(onlyIf, 'if-unmodified-since', Date.parse),
      uploadedAfter: readHeader(onlyIf, 'if-modified-since', Date.parse),
      bySeconds: true,
    });
  }
  return createCondition({
    etagMatches: readEtag(onlyIf.etagMatches),
    etagDoesNotMatch: readEtag(onlyIf.etagDoesNotMatch),
    uploadedBefore: readTime(onlyIf.uploadedBefore),
    uploadedAfter: readTime(onlyIf.uploadedAfter),
    bySeconds: onlyIf.secondsGranularity === true,
  });
}

/** Whether a condition holds for the existing object, if any. The precedence is that of RFC 9110, 13.2.2. */
export function isMet(condition: ObjectCondition | undefined, object: ObjectRecord | undefined): boolean {
  if (condition === undefined) return true;
  const { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter, bySeconds } = condition;
  if (object === undefined) return etagMatches === undefined && uploadedAfter === undefined;
  const toUnit = (time: number): number => (bySeconds ? Math.floor(time / 1000) : time);
  const uploaded = toUnit(object.uploaded);
  const matches = etagMatches === undefined || includesEtag(etagMatches, object.etag, 'strong');
  const differs = etagDoesNotMatch === undefined || !includesEtag(etagDoesNotMatch, object.etag, 'weak');
  const isAfter =
    uploadedAfter === undefined ||
    toUnit(uploadedAfter) < uploaded ||
    (etagDoesNotMatch !== undefined && differs);
  const isBefore =
    uploadedBefore === undefined ||
    uploaded < toUnit(uploadedBefore) ||
    (etagMatches !== undefined && matches);
  return matches && differs && isAfter && isBefore;
}

function includesEtag(etags: readonly Etag[], etag: string, comparison: 'strong' | 'weak'): boolean {
  return etags.some(
    (each) =>
      each.type === 'wildcard' || (each.value === etag && (each.type === 'strong' || comparison === 'weak')),
  );
}

/** The entries of a list of entity tags; a wildcard represents all of them. */
function readEtags(headers: Headers, name: string): Etag[] | undefined {
  const header = headers.get(name);
  if (header === null) return undefined;
  const etags: Etag[] = [];
  let rest = header.trim();
  while (rest !== '') {
    if (rest.startsWith('*')) return [{ type: 'wildcard' }];
    const member = /^(W\/)?"([^"]*)"\s*/.exec(rest);
    if (member === null) throw new Error(explainMember(rest, name));
    etags.push({ type: member[1] === undefined ? 'strong' : 'weak', value: member[2]! });
    rest = rest.slice(member[0].length);
    if (rest !== '' && !rest.startsWith(',')) throw new Error(explainSeparator(rest, name));
    rest = rest.replace(/^[\s,]+/, '');
  }
  return etags;
}

function explainMember(rest: string, name: string): string {
  if (/^(?:W\/)?"/.test(rest)) return 'Unclosed double quote for Etag';
  if (rest.startsWith('W')) return 'Weak etags must start with W/ and their value must be quoted';
  return `Invalid ETag in ${name} header`;
}

/** By the character found in place of a comma. */
const separators: Readonly<Record<string, string>> = {
  '*': "a wildcard character '*' instead.",
  '"': "a double quote character '\"' instead. This would otherwise indicate the start of a new strong etag.",
  W: "a weak quotation character 'W' instead. This would otherwise indicate the start of a new weak etag.",
};

function explainSeparator(rest: string, name: string): string {
  const found = separators[rest[0]!];
  if (found === undefined) return `Invalid ETag in ${name} header`;
  return `Comma was expected to separate etags. Encountered ${found}`;
}

function readEtag(value: string | undefined): readonly Etag[] | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  if (/^".*"$/.test(text)) throw new TypeError(`Conditional ETag should not be wrapped in quotes (${text}).`);
  return [text === '*' ? { type: 'wildcard' } : { type: 'strong', value: text }];
}

function readTime(value: Date | undefined): number | undefined {
  return value === undefined ? undefined : new Date(value).getTime();
}

function readHeader<T>(headers: Headers, name: string, read: (text: string) => T): T | undefined {
  const text = headers.get(name);
  return text === null ? undefined : read(text);
}

type Optional<T> = { [K in keyof T]: T[K] | undefined };

/** Omits conditions that were not given. */
function createCondition(parts: Optional<ObjectCondition>): ObjectCondition {
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined),
  ) as unknown as ObjectCondition;
}
