/** The body of the request, as far as it was buffered. */
import { arrayOf, boolType, bytesType, intType } from '../types.ts';
import { bytesArrayType, defineFields, createMapRows, multiMapType } from './define.ts';

const perPart = arrayOf(bytesArrayType);

export const bodyFields = defineFields({ filledBy: 'proxy', stage: 'body' }, [
  ['http.request.body.raw', bytesType, 'The first bytes of the body, not decoded.'],
  ['gatehouse.request.body.text', bytesType, 'The same, with the escapes of JSON undone; ours.'],
  ['http.request.body.truncated', boolType, 'Whether the body is longer than what was kept.'],
  ['http.request.body.size', intType, 'The size of the whole body in bytes.'],
  ...createMapRows('http.request.body.form', 'Fields of a form, not decoded'),
  ['http.request.body.mime', bytesType, 'The type of the body, told from its content.'],
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
]);
