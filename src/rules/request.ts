/**
 * An HTTP request as the fields that expressions read.
 *
 * ```ts
 * const view = requestFrom({ url: 'https://example.com/admin?a=1', headers: { 'user-agent': 'curl/8' }, ip: '192.0.2.1' });
 * compile(parsed.tree)(view); // what the edge does with a request from the wire
 * ```
 *
 * `RequestFields` computes each field of a request once, when the first rule reads it; `requestFrom` creates a request
 * from a description, for tests and tools. `readBody` decodes a body in every way in which an application may read it.
 */
export { isPasswordName, type Learned } from './request/attacks.ts';
export { listBodyParts, listCookieParts, listQueryParts, listUriParts } from './request/named-parts.ts';
export type { NamedPart, PartKind } from './request/named-part.ts';
export type { RequestArgument } from './request/arguments/argument.ts';
export { readJsonArguments } from './request/arguments/json.ts';
export { type MultipartForm, readMultipart } from './request/arguments/multipart.ts';
export { readUrlencoded } from './request/arguments/urlencoded.ts';
export { readXml } from './request/arguments/xml.ts';
export { parseClientAddress } from './request/client-address.ts';
export {
  type HeadersDescription,
  type RequestDescription,
  requestFrom,
  type HeaderField,
  type RequestMessage,
} from './request/described-request.ts';
export { parseMediaType } from './request/headers.ts';
export { type LeftOutKind, leftOutKinds } from './request/arguments/left-out-parts.ts';
export { FormTexts } from './request/arguments/form-texts.ts';
export { inspectedBodyBytesMax, raisedBodyBytesMax } from './request/limits.ts';
export { type BodyReadings, readBody } from './request/decoding/body-readings.ts';
export { addResponse, type ResponseFacts } from './request/response/response-fields.ts';
export { type RequestFacts, RequestFields } from './request/request-fields.ts';
export { type AmbiguousPath, type PathReadings, readPath } from './request/path-readings.ts';
export { splitUri } from './request/uri.ts';
export {
  defaultUrlNormalization,
  type UrlNormalization,
  urlNormalizationScopes,
  urlNormalizationTypes,
} from './request/url-normalization.ts';
