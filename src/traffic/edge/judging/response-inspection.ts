/**
 * Judges the response to a request that has passed, where the zone applies the OWASP rules to responses. Rules see the
 * head and, for text types, the beginning of the body, decompressed and in its declared charset. The client gets the
 * response of the origin unchanged, or a block page in its place.
 */
import { lowerAscii } from '#text';
import type { OriginResponse } from '#firewall';
import { inspectedBodyBytesMax, readBody } from '#request';
import {
  type InspectedResponse,
  readField,
  type ResponseInspection,
  type ResponseRuling,
} from '../wire/exchange.ts';
import type { JudgedRequest } from './judged-request.ts';
import type { RequestJudging } from './request-judging.ts';

/** Text types that carry information: not styles, scripts, or endless streams. */
const readTypes =
  /^(?:text\/(?!css\b|javascript\b|event-stream\b)|application\/(?:json|xml|xhtml\+xml)\b|[a-z]+\/[a-z0-9.+-]+\+(?:json|xml)\b)/;

export interface ResponseInspectionParts {
  readonly judged: JudgedRequest;
  readonly judging: RequestJudging;
  /**
   * Receives the results of the rules about the request and about the response; returns what to do with the response.
   */
  readonly onJudged: (judged: JudgedRequest) => ResponseRuling;
}

export function createResponseInspection(parts: ResponseInspectionParts): ResponseInspection {
  return {
    heldBytesMax: inspectedBodyBytesMax,
    readsBody({ headers }) {
      const type = lowerAscii(readField(headers, 'content-type').trim());
      return type === '' || readTypes.test(type);
    },
    judge(response) {
      const read = readResponse(response);
      return read instanceof Promise ? read.then((given) => judge(given, parts)) : judge(read, parts);
    },
  };
}

function judge(
  response: OriginResponse,
  { judged, judging, onJudged }: ResponseInspectionParts,
): ResponseRuling | Promise<ResponseRuling> {
  const after = judging.judgeResponse(judged, response);
  return after instanceof Promise ? after.then(onJudged) : onJudged(after);
}

/** A decompressed body is shown without its content coding, because rules skip compressed bodies. */
function readResponse({
  head: { status, headers },
  bytes,
  isTruncated,
}: InspectedResponse): OriginResponse | Promise<OriginResponse> {
  const read = readBody({ bytes, isTruncated }, headers);
  const shown = headers.filter(([name]) => lowerAscii(name) !== 'content-encoding');
  const toResponse = ([body = '']: readonly string[]): OriginResponse => ({ status, headers: shown, body });
  return read instanceof Promise ? read.then(({ texts }) => toResponse(texts)) : toResponse(read.texts);
}
