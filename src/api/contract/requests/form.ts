/**
 * Parses a body of the type multipart/form-data (RFC 7578) into parts with their names and types, as views of the
 * received bytes. A body that two parsers could interpret differently is refused.
 */
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
export function readBoundary(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
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
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  if (!body.subarray(0, delimiter.length).equals(delimiter))
    return { problem: 'it does not begin with its boundary' };
  const parts: FormPart[] = [];
  for (let at = delimiter.length; ;) {
    const end = body.toString('latin1', at, at + 2);
    if (end === '--') return parts;
    if (end !== '\r\n')
      return { problem: `what follows a boundary at byte ${at} is neither a part nor the end` };
    if (parts.length >= formPartsMax) return { problem: `it has more than ${formPartsMax} parts` };
    const next = body.indexOf(`\r\n--${boundary}`, at, 'latin1');
    if (next === -1) return { problem: `its part ${parts.length + 1} is cut off` };
    const part = readPart(body.subarray(at + 2, next));
    if ('problem' in part) return { problem: `its part ${parts.length + 1} ${part.problem}` };
    parts.push(part);
    at = next + 2 + delimiter.length;
  }
}

function readPart(part: Buffer): FormPart | FormProblem {
  const headEnd = part.indexOf('\r\n\r\n');
  if (headEnd === -1 || headEnd > formHeaderBytesMax) return { problem: 'has no headers, or very long ones' };
  const fields = new Map<string, string>();
  for (const line of part.toString('utf8', 0, headEnd).split('\r\n')) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) return { problem: 'has headers that are not valid HTTP' };
    if (fields.has(name.toLowerCase())) return { problem: `has two fields ${name}` };
    fields.set(name.toLowerCase(), value!);
  }
  const disposition = fields.get('content-disposition') ?? '';
  const name = readParameter(disposition, 'name');
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) return { problem: 'has no name' };
  if (fields.has('content-transfer-encoding'))
    return { problem: 'has a transfer encoding, which forms do not have' };
  return {
    name,
    filename: readParameter(disposition, 'filename'),
    type: (fields.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase(),
    bytes: part.subarray(headEnd + 4),
  };
}

/** Browsers and undici percent-encode a quote or a line break in a name. */
function readParameter(disposition: string, parameter: string): string | undefined {
  const found = new RegExp(`;\\s*${parameter}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return found?.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}
