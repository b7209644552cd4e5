/** For tests: a challenged request, and a browser that runs its challenge page. */
import { hash } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import type { ChallengeKind } from '#rulesets';
import type { ConfiguredZone, Verdict } from '#firewall';
import type { IncomingRequest, InspectedBody } from '../wire/exchange.ts';
import { puzzleBits } from './limits.ts';
import { isSolved } from './puzzle.ts';

export const zone: ConfiguredZone = {
  id: 'zone-1',
  name: 'example.com',
  plan: 'pro',
  accountId: 'account',
  isPaused: false,
};

export const challenged: Extract<Verdict, { kind: 'challenge' }> = {
  kind: 'challenge',
  challenge: 'managed_challenge',
  by: {
    source: 'firewallCustom',
    action: 'managed_challenge',
    ruleId: 'rule-1',
    rulesetId: 'ruleset-1',
    ref: 'a secret name',
    description: 'a secret reason',
  },
};

export function createRequest(more: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    id: 'ray',
    method: 'GET',
    target: '/',
    httpVersion: '1.1',
    headers: [['User-Agent', 'a browser']],
    host: 'example.com',
    clientAddress: '192.0.2.1',
    peerAddress: '192.0.2.1',
    isSecure: true,
    serverName: undefined,
    connection: { clientPort: 50_000, serverAddress: '192.0.2.2', serverPort: 443, tls: undefined },
    receivedAtMs: 1_000_000,
    body: undefined,
    ...more,
  };
}

export function createBody(text: string): InspectedBody {
  return { bytes: Buffer.from(text), isTruncated: false, declaredLength: text.length };
}

/**
 * Computes what the page computes, without the page. Most numbers are rejected by their digest as text, which is
 * cheaper to compute than its bytes.
 */
export function solvePuzzle(puzzle: string, bits = findBits(puzzle)): string {
  const signature = puzzle.slice(puzzle.lastIndexOf('.') + 1);
  const zeros = '0'.repeat(Math.floor(bits / 4));
  for (let number = 0; ; number++) {
    const mayBe = hash('sha256', `${signature}:${number}`).startsWith(zeros);
    if (mayBe && isSolved(puzzle, String(number), bits)) return String(number);
  }
}

function findBits(puzzle: string): number {
  const [kind] = JSON.parse(Buffer.from(puzzle.split('.')[1]!, 'base64url').toString()) as [ChallengeKind];
  return puzzleBits[kind];
}

export function findPuzzle(page: string): string {
  return /data-puzzle="([^"]*)"/.exec(page)![1]!;
}

export interface PageRun {
  /** The text that the page shows at the end. */
  readonly state: string;
  readonly isReloaded: boolean;
  /** How often the script paused. */
  readonly pauses: number;
}

export interface PageOptions {
  /** Answers the requests of the page. */
  readonly fetch: (
    path: string,
    init: { readonly method: string; readonly body: string },
  ) => Promise<unknown>;
  readonly isCookieEnabled?: boolean;
  /** Replaces the real clock of the page. */
  readonly nowMs?: () => number;
}

/** Runs the script of a page with the parts of a browser that it uses. */
export async function runPage(page: string, options: PageOptions): Promise<PageRun> {
  const script = /<script>([^]*)<\/script>/.exec(page)![1]!;
  const { attributes, elements } = listElements(page);
  const reloaded = Promise.withResolvers<void>();
  let isReloaded = false;
  let pauses = 0;
  const spoken = Promise.withResolvers<void>();
  const state = {
    text: '',
    get textContent() {
      return this.text;
    },
    set textContent(text: string) {
      this.text = text;
      if (!text.startsWith('Checking')) spoken.resolve();
    },
  };
  let click: (() => void) | undefined;
  const start = {
    disabled: false,
    addEventListener: (_: string, listener: () => void) => (click = listener),
  };
  const context = createContext({
    URLSearchParams,
    performance: { now: options.nowMs ?? (() => performance.now()) },
    fetch: options.fetch,
    navigator: { cookieEnabled: options.isCookieEnabled ?? true },
    setTimeout: (work: (from: number) => void, _: number, from: number) => {
      pauses++;
      setImmediate(work, from);
    },
    location: {
      reload: () => {
        isReloaded = true;
        reloaded.resolve();
      },
    },
    document: {
      getElementById: (id: string) =>
        !elements.has(id)
          ? null
          : id === 'challenge'
            ? { dataset: attributes }
            : id === 'state'
              ? state
              : start,
    },
  });
  runInContext(script, context);
  click?.();
  await Promise.race([reloaded.promise, spoken.promise]);
  return { state: state.text, isReloaded, pauses };
}

function listElements(page: string): {
  readonly attributes: Readonly<Record<string, string>>;
  readonly elements: ReadonlySet<string>;
} {
  const attributes = Array.from(page.matchAll(/data-(\w+)="([^"]*)"/g), ([, name, value]) => [name!, value!]);
  const elements = Array.from(page.matchAll(/ id="(\w+)"/g), ([, id]) => id!);
  return { attributes: Object.fromEntries(attributes), elements: new Set(elements) };
}
