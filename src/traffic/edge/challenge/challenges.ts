/**
 * Issues challenges, checks solutions, and recognises clients that have passed. It stores nothing: the client returns
 * all the state, signed. A clearance contains the kind of challenge that was solved and does not satisfy a stronger
 * one.
 */
import { type ChallengeKind, challengeKinds, isAtLeastAsStrong } from '#rulesets';
import type { ConfiguredZone, Triggered, TriggeredAction, Verdict } from '#firewall';
import { createEdgeResponse } from '../wire/edge-response.ts';
import type { RespondDirective, IncomingRequest, InspectedBody } from '../wire/exchange.ts';
import { createCookieReader, type Signer, toClient } from './clearance.ts';
import { clearanceMs, puzzleBits, solutionBytesMax } from './limits.ts';
import { renderChallengePage, pagePolicy } from './page.ts';
import { isSolved } from './puzzle.ts';

const cookieName = 'cf_clearance';
const readClearances = createCookieReader(cookieName);

type ChallengeVerdict = Extract<Verdict, { kind: 'challenge' }>;

export interface Solution {
  readonly answer: RespondDirective;
  /** The rule that issued the challenge, and the outcome; undefined if the puzzle is forged or too old. */
  readonly triggered: Triggered | undefined;
}

export class Challenges {
  readonly #signer: Signer;

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  /** The strongest challenge that the client has solved within `clearanceMs`. */
  findClearance(
    request: IncomingRequest,
    zone: ConfiguredZone,
    validMs = clearanceMs,
  ): ChallengeKind | undefined {
    const cookies = readClearances(request);
    if (cookies.length === 0) return undefined;
    const client = toClient(request, zone);
    let strongest: ChallengeKind | undefined;
    for (const cookie of cookies) {
      const solved = this.#signer.read('clearance', client, cookie, request.receivedAtMs, validMs);
      const kind = challengeKinds.find((each) => each === solved);
      if (kind !== undefined && (strongest === undefined || isAtLeastAsStrong(kind, strongest)))
        strongest = kind;
    }
    return strongest;
  }

  challenge(request: IncomingRequest, zone: ConfiguredZone, verdict: ChallengeVerdict): RespondDirective {
    const { id: rayId, host, receivedAtMs } = request;
    const puzzle = this.#signer.sign('puzzle', toClient(request, zone), encodeAsked(verdict), receivedAtMs);
    const page = renderChallengePage({ kind: verdict.challenge, puzzle, host, rayId });
    return createEdgeResponse(403, 'text/html; charset=utf-8', page, [
      ['cf-mitigated', 'challenge'],
      ['content-security-policy', pagePolicy],
    ]);
  }

  take(request: IncomingRequest, zone: ConfiguredZone, body: InspectedBody, validMs = clearanceMs): Solution {
    if (body.isTruncated || body.bytes.length > solutionBytesMax) {
      return { answer: createRefusedResponse('The solution is too long.'), triggered: undefined };
    }
    const form = new URLSearchParams(body.bytes.toString('latin1'));
    const puzzle = form.get('puzzle') ?? '';
    const client = toClient(request, zone);
    const signed = this.#signer.read('puzzle', client, puzzle, request.receivedAtMs);
    if (signed === undefined) {
      return {
        answer: createRefusedResponse('The puzzle is not one of ours, or too old.'),
        triggered: undefined,
      };
    }
    const asked = decodeAsked(signed);
    const [kind] = asked;
    if (!isSolved(puzzle, form.get('solution') ?? '', puzzleBits[kind])) {
      return {
        answer: createRefusedResponse('That does not solve the puzzle.'),
        triggered: toTriggered(asked, 'failed'),
      };
    }
    const clearance = this.#signer.sign('clearance', client, kind, request.receivedAtMs);
    return {
      answer: createPassedResponse(clearance, request.isSecure, validMs),
      triggered: toTriggered(asked, 'solved'),
    };
  }
}

function createPassedResponse(clearance: string, isSecure: boolean, validMs: number): RespondDirective {
  const attributes = `Path=/; Max-Age=${validMs / 1000}; HttpOnly; SameSite=Lax`;
  return {
    kind: 'answer',
    status: 204,
    headers: [
      ['set-cookie', `${cookieName}=${clearance}; ${attributes}${isSecure ? '; Secure' : ''}`],
      ['cache-control', 'private, no-store'],
    ],
    body: '',
  };
}

function createRefusedResponse(text: string): RespondDirective {
  return createEdgeResponse(403, 'text/plain; charset=utf-8', `${text}\n`);
}

/**
 * The data about the rule that the events of a solution need. Clients can read it: ids reveal nothing, descriptions
 * would.
 */
type ChallengedRule = readonly [
  kind: ChallengeKind,
  source: Triggered['source'],
  ruleId: string,
  rulesetId: string,
];

function encodeAsked({ challenge, by: { source, ruleId, rulesetId } }: ChallengeVerdict): string {
  const asked: ChallengedRule = [challenge, source, ruleId, rulesetId];
  return Buffer.from(JSON.stringify(asked)).toString('base64url');
}

/** Cloudflare has no name for the last one; ours follows the pattern of the others. */
const outcomeActions: Readonly<
  Record<ChallengeKind, { readonly solved: TriggeredAction; readonly failed: TriggeredAction }>
> = {
  challenge: { solved: 'challengesolved', failed: 'challengefailed' },
  js_challenge: { solved: 'jschallengesolved', failed: 'jschallengefailed' },
  managed_challenge: { solved: 'managedchallengenoninteractivesolved', failed: 'managedchallengefailed' },
};

/** The signature was checked, so `encodeAsked` wrote it. */
function decodeAsked(signed: string): ChallengedRule {
  return JSON.parse(Buffer.from(signed, 'base64url').toString()) as ChallengedRule;
}

function toTriggered(
  [kind, source, ruleId, rulesetId]: ChallengedRule,
  outcome: 'solved' | 'failed',
): Triggered {
  const action = outcomeActions[kind][outcome];
  return { source, action, ruleId, rulesetId, ref: '', description: '' };
}
