import { runCli } from './run.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** For tests: runs a command in this process and captures its output. */
export async function runCaptured(...args: string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const restores = (['stdout', 'stderr'] as const).map((name) => {
    const write = Reflect.get(process[name], 'write');
    process[name].write = (text: string | Uint8Array) => {
      written[name] += String(text);
      return true;
    };
    return () => void (process[name].write = write);
  });
  try {
    const code = await runCli(args);
    return { code, ...written };
  } finally {
    for (const restore of restores) restore();
  }
}
