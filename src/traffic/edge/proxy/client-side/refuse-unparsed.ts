/** Refuses a request whose head could not be parsed, so it cannot be judged. */
import { createRefusedRecord } from '../../observation/refused-record.ts';
import type { Peer } from '../../wire/client-address.ts';
import { createRefusalResponse } from '../../wire/refusal-response.ts';
import type { Refusal } from '../../wire/refusal.ts';
import type { ProxyCore } from '../proxy-core.ts';
import type { ResponseWriter } from './response-writer.ts';

export function refuseUnparsed(core: ProxyCore, peer: Peer, writer: ResponseWriter, refusal: Refusal): void {
  const nowMs = core.watchdog.now();
  const id = core.nextRequestId(nowMs);
  core.noteRefusal({ id, refusal, peerAddress: peer.address, request: undefined });
  const { headers, body } = createRefusalResponse(refusal, id, false);
  const sentBytesBefore = writer.sentBytes;
  writer.writeOwnHead(refusal.status, headers, {
    requestId: id,
    requestIdHeader: core.requestIdHeader,
    framing: { kind: 'length', length: body.length },
    fields: undefined,
    isLast: true,
  });
  writer.writeBody(Buffer.from(body));
  writer.finish();
  core.observer.onRequest(
    createRefusedRecord(refusal, {
      id,
      receivedAtMs: nowMs,
      peerAddress: peer.address,
      sentBytes: writer.sentBytes - sentBytesBefore,
      sentBodyBytes: body.length,
    }),
  );
}
