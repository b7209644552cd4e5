/**
 * Parses a body of the type multipart/form-data (RFC 7578) into parts with their names and types, as views of the
 * received bytes. A body that two parsers could interpret differently is refused.
 */
import { type MultipartPart, readBoundary, showText, splitMultipart } from '#text';
import { formHeaderBytesMax, formPartsMax } from '../limits.ts';

export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  /** In lower case and without parameters; empty if there is none. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A problem in a form, as the end of a sentence. */
export type FormProblem = { readonly problem: string };

/** Undefined for any other type. */
export function readFormBoundary(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const boundary = readBoundary(contentType);
  return boundary !== undefined && boundary.length <= 70 ? boundary : undefined;
}

/**
 * Finds the boundary in the first lines of a form whose type does not have it. Undefined if the body starts
 * differently.
 */
export function findBoundary(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, formHeaderBytesMax));
  return /^--([^\r\n]{1,70})\r\ncontent-disposition: *form-data;/i.exec(start.toString('latin1'))?.[1];
}

export const scriptType = 'application/javascript';

/** Converts a script of the older format, sent without a form, to the equivalent form. */
export function toScriptForm(bytes: Uint8Array): readonly FormPart[] {
  const metadata = Buffer.from(JSON.stringify({ body_part: 'script' }));
  return [
    { name: 'metadata', filename: undefined, type: 'application/json', bytes: metadata },
    { name: 'script', filename: undefined, type: scriptType, bytes },
  ];
}

export function readForm(bytes: Uint8Array, boundary: string): readonly FormPart[] | FormProblem {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (body.toString('latin1', 0, boundary.length + 2) !== `--${boundary}`)
    return { problem: 'it does not begin with its boundary' };
  const limits = { partsMax: formPartsMax, headBytesMax: formHeaderBytesMax };
  const { parts, flaws } = splitMultipart(body, boundary, limits);
  if (flaws.has('file-limit-exceeded')) return { problem: `it has more than ${formPartsMax} parts` };
  if (flaws.has('unmatched-boundary'))
    return { problem: 'what follows one of its boundaries is neither a part nor the end' };
  if (flaws.has('not-closed')) return { problem: `its part ${parts.length} is cut off` };
  if (flaws.has('data-after')) return { problem: 'it has data after its end' };
  const read: FormPart[] = [];
  for (const [index, part] of parts.entries()) {
    const found = readPart(part, body);
    if ('problem' in found) return { problem: `its part ${index + 1} ${found.problem}` };
    read.push(found);
  }
  if (flaws.size > 0) return { problem: 'it has lines that parsers read in different ways' };
  return read;
}

function readPart(
  { names, fileNames: [fileName], headers, start, end }: MultipartPart,
  body: Buffer,
): FormPart | FormProblem {
  if (headers.length === 0) return { problem: 'has no headers, or very long ones' };
  const fields = new Map<string, string>();
  for (const line of headers) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) return { problem: 'has headers that are not valid HTTP' };
    if (fields.has(name.toLowerCase())) return { problem: `has two fields ${name}` };
    fields.set(name.toLowerCase(), value!);
  }
  const isFormData = /^form-data\s*;/i.test(fields.get('content-disposition') ?? '');
  if (!isFormData || names.length !== 1) return { problem: 'has no name' };
  if (fields.has('content-transfer-encoding'))
    return { problem: 'has a transfer encoding, which forms do not have' };
  return {
    name: decodeName(names[0]!),
    filename: fileName === undefined ? undefined : decodeName(fileName),
    type: (fields.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase(),
    bytes: body.subarray(start, end),
  };
}

/** Browsers and undici percent-encode a quote or a line break in a name. */
function decodeName(name: string): string {
  return showText(name).replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}
