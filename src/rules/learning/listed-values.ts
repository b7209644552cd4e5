/** The values of a request that are learned: named arguments of the query and of the body. */
import { isPasswordName, listBodyParts, parseMediaType, readMultipart, readUrlencoded } from '#request';
import { requestValuesMax } from './limits.ts';

export const learnedPlaces = [
  'argument',
  'form field',
  'multipart field',
  'JSON value',
  'XML text',
  'XML attribute',
] as const;
export type LearnedPlace = (typeof learnedPlaces)[number];

export interface ListedValue {
  readonly place: LearnedPlace;
  readonly name: string;
  /** Decoded, as detectors read it. */
  readonly value: string;
}

interface ListedRequest {
  readonly query: string;
  readonly contentType: string;
  readonly body: string;
}

/** Without files and passwords. */
export function listLearnedValues({ query, contentType, body }: ListedRequest): readonly ListedValue[] {
  return [...listPairs('argument', query), ...(body === '' ? [] : listBody(body, contentType))]
    .filter(({ name, value }) => value !== '' && !isPasswordName(name))
    .slice(0, requestValuesMax);
}

function listPairs(place: LearnedPlace, text: string): readonly ListedValue[] {
  return readUrlencoded(text).map(({ name, value }) => ({ place, name, value }));
}

function listBody(body: string, contentType: string): readonly ListedValue[] {
  const type = parseMediaType(contentType);
  if (type === 'application/x-www-form-urlencoded') return listPairs('form field', body);
  if (type === 'multipart/form-data')
    return readMultipart(body, contentType)
      .parts.filter(({ names, fileNames }) => names.length > 0 && fileNames.length === 0)
      .map(({ names: [name], content }) => ({ place: 'multipart field', name: name!, value: content }));
  return listBodyParts(body, contentType).flatMap(({ kind, name, decoded }) =>
    isLearnedPlace(kind) ? [{ place: kind, name, value: decoded }] : [],
  );
}

function isLearnedPlace(kind: string): kind is LearnedPlace {
  return (learnedPlaces as readonly string[]).includes(kind);
}
