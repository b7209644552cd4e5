/** The buffered part of the request's body. */
import { arrayOf, boolType, bytesType, intType, mapOf } from '../types.ts';
import { bytesArrayType, defineFields, createMapRows, multiMapType } from './define.ts';

const perPart = arrayOf(bytesArrayType);

/** One for each kind of attack that detectors look for. */
const attackRows = (
  [
    ['sql', 'SQL'],
    ['script', 'scripts and markup that runs them'],
    ['command', 'commands of shells'],
    ['path', 'paths that leave their directory or point to secret files'],
    ['code', 'templates and code that run on the server'],
    ['nosql', 'operators of document databases'],
    ['ldap', 'filters of directories'],
    ['ssrf', 'addresses that a server must not fetch'],
    ['deserialisation', 'serialised objects'],
    ['xxe', 'XML that loads files'],
    ['crlf', 'lines for a protocol'],
  ] as const
).map(
  ([kind, what]) =>
    [
      `gatehouse.attack.${kind}`,
      intType,
      `How certain it is that the request contains ${what}, from 0 to 100; ours.`,
    ] as const,
);

export const bodyFields = defineFields({ filledBy: 'proxy', stage: 'body' }, [
  ['http.request.body.raw', bytesType, 'The first bytes of the body, not decoded.'],
  ['gatehouse.request.body.text', bytesType, 'The same, with JSON escapes decoded; ours.'],
  ['http.request.body.truncated', boolType, 'Whether the body is longer than the part that was kept.'],
  ['http.request.body.size', intType, 'The size of the whole body in bytes.'],
  ...createMapRows('http.request.body.form', 'Fields of a form, not decoded'),
  ['http.request.body.mime', bytesType, 'The type of the body, detected from its content.'],
  ['http.request.body.multipart', multiMapType, 'Values of a multipart body by the name of the part.'],
  ['http.request.body.multipart.names', perPart, 'Names of each part.'],
  ['http.request.body.multipart.values', bytesArrayType, 'Contents of the parts.'],
  ['http.request.body.multipart.content_types', perPart, 'Content-Type of each part.'],
  ['http.request.body.multipart.content_dispositions', perPart, 'Content-Disposition of each part.'],
  [
    'http.request.body.multipart.content_transfer_encodings',
    perPart,
    'Content-Transfer-Encoding of each part.',
  ],
  ['http.request.body.multipart.filenames', perPart, 'File names of each part.'],
  ...attackRows,
  ['gatehouse.attack.findings', mapOf(bytesType), 'What was found, by the kind of attack, as JSON; ours.'],
]);
