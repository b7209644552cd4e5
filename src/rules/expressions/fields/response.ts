/** The response, in the phases that can read it. */
import { bytesType, intType } from '../types.ts';
import { defineFields, createMapRows } from './define.ts';

export const responseFields = defineFields({ filledBy: 'proxy', stage: 'response' }, [
  ['http.response.code', intType, 'The status code for the client.'],
  ...createMapRows('http.response.headers', 'Headers of the response'),
  ...createMapRows('raw.http.response.headers', 'Headers of the response before any change'),
  ['http.response.content_type.media_type', bytesType, 'The media type, in lower case, without parameters.'],
  ['cf.response.1xxx_code', intType, 'The number of an error from the edge itself.'],
  [
    'cf.response.error_type',
    bytesType,
    'The kind of an error from the edge itself, such as waf, ratelimit or 5xx.',
  ],
]);
