/**
 * Judges the response to a request that has passed, where the zone wants the OWASP rules to look at responses. Rules see
 * the head and, of texts, the beginning of the body: unpacked, in the charset that it declares. The client gets what the
 * origin sent, or a block page instead of it.
 */
import { lowerAscii } from '#base';
import type { OriginResponse } from '#firewall';
import { bodyBytesMax, readBody } from '#request';
import {
  type InspectedResponse,
  readField,
  type ResponseInspection,
  type ResponseRuling,
} from '../wire/exchange.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';
import type { RequestJudging } from '../judging/request-judging.ts';

/** Texts that tell people or programs something: not styles, scripts, or streams that never end. */
const readTypes =
  /^(?:text\/(?!css\b|javascript\b|event-stream\b)|application\/(?:json|xml|xhtml\+xml)\b|[a-z]+\/[a-z0-9.+-]+\+(?:json|xml)\b)/;

export interface ResponseInspectionParts {
  readonly judged: JudgedRequest;
  readonly judging: RequestJudging;
  /** Given what rules about the request and about the response did; answers what to do with the response. */
  readonly onJudged: (judged: JudgedRequest) => ResponseRuling;
}

export function createResponseInspection(parts: ResponseInspectionParts): ResponseInspection {
  return {
    bodyBytesMax,
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

/** A body that was unpacked is shown without its coding, because rules leave compressed bodies alone. */
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
