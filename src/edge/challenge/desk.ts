/** Gives out challenges, takes solutions, and knows who has passed. */
import { randomBytes } from 'node:crypto';
import type { ChallengeKind, ConfiguredZone } from '#firewall';
import { answer } from '../judgement/answers.ts';
import type { AnswerVerdict, IncomingRequest, InspectedBody } from '../wire/exchange.ts';
import { type Client, Signer } from './clearance.ts';
import { clearanceMs, solutionBytesMax } from './limits.ts';
import { challengePage } from './page.ts';
import { isSolved } from './puzzle.ts';

const cookieName = 'cf_clearance';

export class ChallengeDesk {
  readonly #signer: Signer;

  constructor(secret: Uint8Array) {
    this.#signer = new Signer(secret);
  }

  hasClearance(request: IncomingRequest, zone: ConfiguredZone): boolean {
    const cookie = cookieOf(request);
    return (
      cookie !== undefined &&
      this.#signer.read('clearance', clientOf(request, zone), cookie, request.receivedAtMs) !== undefined
    );
  }

  challenge(request: IncomingRequest, zone: ConfiguredZone, kind: ChallengeKind): AnswerVerdict {
    const content = randomBytes(12).toString('base64url');
    const puzzle = this.#signer.sign('puzzle', clientOf(request, zone), content, request.receivedAtMs);
    const page = challengePage({ kind, puzzle, host: request.host, rayId: request.id });
    return answer(403, 'text/html; charset=utf-8', page, [
      ['cf-mitigated', 'challenge'],
      [
        'content-security-policy',
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'",
      ],
    ]);
  }

  take(request: IncomingRequest, zone: ConfiguredZone, body: InspectedBody): AnswerVerdict {
    if (body.isTruncated || body.bytes.length > solutionBytesMax) return refused('The solution is too long.');
    const form = new URLSearchParams(body.bytes.toString('latin1'));
    const puzzle = form.get('puzzle') ?? '';
    const client = clientOf(request, zone);
    if (this.#signer.read('puzzle', client, puzzle, request.receivedAtMs) === undefined) {
      return refused('The puzzle is not one of ours, or too old.');
    }
    if (!isSolved(puzzle, form.get('solution') ?? '')) return refused('That does not solve the puzzle.');
    const clearance = this.#signer.sign('clearance', client, 'passed', request.receivedAtMs);
    const secure = request.isSecure ? '; Secure' : '';
    const cookie = `${cookieName}=${clearance}; Path=/; Max-Age=${clearanceMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
    return {
      kind: 'answer',
      status: 204,
      headers: [
        ['set-cookie', cookie],
        ['cache-control', 'no-store'],
      ],
      body: '',
    };
  }
}

function refused(text: string): AnswerVerdict {
  return answer(403, 'text/plain; charset=utf-8', `${text}\n`);
}

function clientOf({ clientAddress, headers }: IncomingRequest, { id }: ConfiguredZone): Client {
  const userAgent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';
  return { zoneId: id, address: clientAddress, userAgent };
}

function cookieOf({ headers }: IncomingRequest): string | undefined {
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'cookie' || !value.includes(cookieName)) continue;
    const found = /(?:^|;)\s*cf_clearance=([^;]+)/.exec(value)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
