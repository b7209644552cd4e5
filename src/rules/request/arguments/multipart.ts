/** The parts of a multipart form in the body that rules see. */
import {
  lowerAscii,
  type MultipartFlaw,
  type MultipartPart,
  readBoundary,
  splitMultipart,
  trimBlanks,
} from '#text';
import { argumentsMax } from '../limits.ts';
import { splitAt } from '../pairs.ts';

export interface FormPart extends MultipartPart {
  readonly content: string;
}

export interface MultipartForm {
  readonly parts: readonly FormPart[];
  readonly flaws: ReadonlySet<MultipartFlaw>;
}

export function readMultipart(body: string, contentType: string): MultipartForm {
  const flaws = new Set<MultipartFlaw>();
  const boundary = readBoundary(contentType, flaws);
  if (boundary === undefined) return { parts: [], flaws };
  const { parts } = splitMultipart(body, boundary, { partsMax: argumentsMax }, flaws);
  return { parts: parts.map((part) => ({ ...part, content: body.slice(part.start, part.end) })), flaws };
}

/** The values of one header of a part. */
export function readPartHeader({ headers }: FormPart, name: string): readonly string[] {
  return headers
    .map((line) => splitAt(line, ':'))
    .filter(([other]) => lowerAscii(trimBlanks(other)) === name)
    .map(([, value]) => trimBlanks(value));
}
