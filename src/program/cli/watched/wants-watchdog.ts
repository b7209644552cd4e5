/**
 * Whether a program runs below a watchdog: the setting `watchdog`, read before anything else is loaded, because the
 * watchdog itself must load as little as possible. Errors in the settings are reported by the program, which reads all
 * of them and then runs without a watchdog.
 */
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

export interface ProgramCall {
  /** The arguments after the command. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Flags that Node was started with. */
  readonly nodeFlags: readonly string[];
}

export async function wantsWatchdog(call: ProgramCall): Promise<boolean> {
  const { args, environment, nodeFlags } = call;
  // They only print.
  if (args.some((arg) => ['-h', '--help', '--print-config'].includes(arg))) return false;
  // With a debugger, the program may be paused for as long as a developer inspects it.
  if (nodeFlags.some((flag) => flag.startsWith('--inspect'))) return false;
  const written =
    readFlag(args, '--watchdog') ?? environment['GATEHOUSE_WATCHDOG'] ?? (await readFromFile(call)) ?? true;
  return written === true || written === 'true';
}

/** The last value counts, as for any flag. */
function readFlag(args: readonly string[], flag: string): string | undefined {
  let value: string | undefined;
  for (const [index, arg] of args.entries()) {
    if (arg === flag) value = args[index + 1] ?? '';
    else if (arg.startsWith(`${flag}=`)) value = arg.slice(flag.length + 1);
  }
  return value;
}

async function readFromFile({ args, environment, directory }: ProgramCall): Promise<unknown> {
  const named = readFlag(args, '--config') ?? environment['GATEHOUSE_CONFIG'] ?? 'gatehouse.toml';
  const file = resolve(directory, named);
  try {
    const text = readFileSync(file, 'utf8');
    // Most files do not contain it, and need not be parsed.
    if (!text.includes('watchdog')) return undefined;
    const parsed = (extname(file) === '.json' ? JSON.parse(text) : await parseToml(text)) as unknown;
    return (parsed as { readonly watchdog?: unknown } | null)?.watchdog;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
  }
}

async function parseToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  return parse(text);
}
