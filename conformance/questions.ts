/**
 * Sends every probe to a server. Probes that wait are started first and stay in the background, the others run a fixed
 * number at a time; a timeout also counts as an answer, so one hanging probe neither hides the rest nor goes unnoticed.
 */
export interface Probe {
  readonly name: string;
  readonly area: string;
  readonly on: readonly ('sql' | 'kv')[];
  readonly disk: boolean;
  readonly slow: boolean;
  readonly restarts: boolean;
  /** The configurations for the probe, see `variants.ts`. */
  readonly variants: readonly string[];
}

export type Part = 'run' | 'before' | 'after';

export interface Question {
  /** Its name in the report and in the list of differences. */
  readonly title: string;
  readonly probe: Probe;
  readonly on: 'sql' | 'kv';
  readonly part: Part;
}

/** Where a question goes: the original answers key-value questions from its in-memory machine. */
export interface Server {
  urlFor(question: Question): string;
}

const ANSWER_MS_MAX = 45_000;
const QUESTIONS_AT_ONCE = 6;

export async function fetchCatalogue(url: string): Promise<Probe[]> {
  const response = await fetch(new URL('/catalogue', url));
  if (!response.ok)
    throw new Error(`the catalogue of probes failed: ${response.status} ${await response.text()}`);
  return (await response.json()) as Probe[];
}

export function questionsOf(probes: readonly Probe[], variant: string, part: Part): Question[] {
  const under = variant === '' ? '' : ` under ${variant}`;
  return probes
    .filter((probe) => probe.restarts === (part !== 'run') && probe.variants.includes(variant))
    .flatMap((probe) =>
      probe.on.map((on) => ({
        title: `${probe.name} [${on}]${under}${part === 'run' ? '' : ` ${part} restart`}`,
        probe,
        on,
        part,
      })),
    );
}

export async function askAll(server: Server, questions: readonly Question[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const put = async (question: Question): Promise<void> => {
    answers.set(question.title, await ask(server, question));
  };
  const slow = questions.filter((question) => question.probe.slow).map(put);
  const queue = questions.filter((question) => !question.probe.slow).values();
  const lane = async (): Promise<void> => {
    for (const question of queue) await put(question);
  };
  await Promise.all([...slow, ...Array.from({ length: QUESTIONS_AT_ONCE }, lane)]);
  return answers;
}

async function ask(server: Server, question: Question): Promise<string> {
  const url = new URL('/probe', server.urlFor(question));
  url.search = new URLSearchParams({
    name: question.probe.name,
    on: question.on,
    part: question.part,
  }).toString();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const body = await response.text();
    return response.ok ? body : JSON.stringify({ harness: `HTTP ${response.status}`, body });
  } catch (error) {
    return JSON.stringify({ harness: error instanceof Error ? error.name : String(error) });
  }
}

/** Whether the harness, rather than the probe, gave the answer. */
export function isHarnessFailure(answer: string): boolean {
  return answer.startsWith('{"harness"');
}
