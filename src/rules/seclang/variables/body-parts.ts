/** The body as its processor reads it: arguments, files, flaws. */
import {
  type MultipartForm,
  parseMediaType,
  type RequestArgument,
  readJsonArguments,
  readMultipart,
  readUrlencoded,
  readXml,
} from '#request';

export interface BodyParts {
  /** `URLENCODED`, `MULTIPART`, `JSON`, `XML` or `""`. */
  readonly processor: string;
  readonly list: readonly RequestArgument[];
  /** The parts that have names. */
  readonly multipart: MultipartForm | undefined;
  readonly xml: { readonly text: string; readonly attributes: readonly string[] } | undefined;
  /** Why the body cannot be read. */
  readonly error: string | undefined;
}

/** The processor that the content type selects; rules may choose another one. */
export function chooseProcessor(contentType: string): string {
  const type = parseMediaType(contentType);
  if (type === 'application/x-www-form-urlencoded') return 'URLENCODED';
  if (type === 'multipart/form-data') return 'MULTIPART';
  if (type === 'application/json' || /^application\/[\w.+-]+\+json$/.test(type)) return 'JSON';
  if (type === 'text/xml' || type === 'application/xml' || /^[\w-]+\/[\w.+-]+\+xml$/.test(type)) return 'XML';
  return '';
}

export function readBodyParts(processor: string, body: string, contentType: string): BodyParts {
  const nothing: BodyParts = { processor, list: [], multipart: undefined, xml: undefined, error: undefined };
  if (body === '') return nothing;
  if (processor === 'URLENCODED') return { ...nothing, list: readUrlencoded(body) };
  if (processor === 'JSON') {
    const { list, error } = readJsonArguments(body);
    return { ...nothing, list, error: error === undefined ? undefined : `JSON parsing error: ${error}` };
  }
  if (processor === 'XML') {
    const xml = readXml(body);
    return {
      ...nothing,
      xml,
      error: xml.error === undefined ? undefined : `XML parsing error: ${xml.error}`,
    };
  }
  if (processor !== 'MULTIPART') return nothing;
  const { parts: all, flaws } = readMultipart(body, contentType);
  const parts = all.filter(({ names }) => names.length > 0);
  const multipart = { parts, flaws };
  const fields = parts.filter(({ fileNames }) => fileNames.length === 0);
  const list = fields.flatMap(({ names, content }) => names.map((name) => ({ name, value: content })));
  const error = multipart.flaws.has('no-boundary')
    ? 'Multipart parsing error: there is no boundary'
    : undefined;
  return { ...nothing, list, multipart, error };
}
