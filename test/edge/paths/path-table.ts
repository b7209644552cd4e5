/** Sends the table of paths to an origin through the edge, under several rules, and reports those that bypass them. */
import type { PathForm, PathOutcome } from './path-forms.ts';
import { RawClient } from '../wire/raw-client.ts';
import type { ServedEdge } from '../served-edge.ts';
import { protectedText } from './path-origins.ts';

/** Each zone has a different rule for paths that must not reach `/admin`. */
const rules = {
  /** The rule of the README. */
  enterprise: 'http.request.uri.path contains "/admin"',
  business: 'lower(http.request.uri.path) contains "/admin"',
  pro: 'starts_with(lower(http.request.uri.path), "/admin")',
  free: 'not starts_with(http.request.uri.path, "/public/") and not starts_with(http.request.uri.path, "/x")',
} as const;

export type RuledPlan = keyof typeof rules;

export async function addRules(served: ServedEdge): Promise<void> {
  for (const [plan, expression] of Object.entries(rules)) {
    const route = `POST /zones/${served.control.zone(plan as RuledPlan)}/firewall/rules`;
    await served.do(route, [{ action: 'block', filter: { expression } }]);
  }
}

export async function setOrigin(served: ServedEdge, url: string): Promise<void> {
  for (const plan of Object.keys(rules)) {
    await served.do(`PUT /zones/${served.control.zone(plan as RuledPlan)}/edge`, {
      origin: { url },
      protect: false,
    });
  }
}

export interface Seen {
  readonly outcome: PathOutcome;
  readonly isProtectedServed: boolean;
}

/** Sends one target over a raw connection, which is reused if the server keeps it open. */
export class PathSender implements Disposable {
  readonly #port: number;
  readonly #host: string;
  #client: RawClient | undefined;

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  async send(target: string): Promise<Seen> {
    if (this.#client === undefined || this.#client.isClosed)
      this.#client = await RawClient.connect(this.#port);
    const spelled = target.replace('{host}', this.#host);
    const host = spelled.startsWith('http://') && spelled.includes(':80/') ? `${this.#host}:80` : this.#host;
    this.#client.send(`GET ${spelled} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const response = await this.#client.response();
    if (response === undefined || response.headers.get('connection') === 'close') this[Symbol.dispose]();
    return {
      outcome: readOutcome(response?.status, response?.body ?? ''),
      isProtectedServed: response?.body.includes(protectedText) === true,
    };
  }

  [Symbol.dispose](): void {
    this.#client?.[Symbol.dispose]();
    this.#client = undefined;
  }
}

function readOutcome(status: number | undefined, body: string): PathOutcome {
  if (status === 403 && body.includes('You were blocked')) return 'blocked';
  if (status === 400 && body.includes('The address is ambiguous')) return 'refused';
  if (status === 400 && body.includes('"bad_')) return 'malformed';
  return 'forwarded';
}

/** The targets whose protected handler ran behind a rule, as `rule: target`. */
export async function findPassed(
  served: ServedEdge,
  targets: readonly string[],
  plans = Object.keys(rules) as readonly RuledPlan[],
): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const plan of plans) {
    using sender = new PathSender(served.port, served.host(plan));
    for (const target of targets) {
      if ((await sender.send(target)).isProtectedServed) passed.push(`${rules[plan]}: ${target}`);
    }
  }
  return passed;
}

/** Forms whose outcome under the rule of the README differs from the table. */
export async function findSurprises(
  served: ServedEdge,
  forms: readonly PathForm[],
): Promise<readonly string[]> {
  using sender = new PathSender(served.port, served.host('enterprise'));
  const surprises: string[] = [];
  for (const { target, outcome } of forms) {
    const seen = await sender.send(target);
    if (seen.outcome !== outcome) surprises.push(`${target}: ${seen.outcome}, not ${outcome}`);
  }
  return surprises;
}
