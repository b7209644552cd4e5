/**
 * By default, `gatehouse serve` has an edge process, and `gatehouse run` a process of the Worker. They are started
 * before the program has loaded its own code, so that both load concurrently. The program terminates processes that are
 * not needed after all.
 */
import { endPreforked, prefork } from '#processes';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

export function preforkProcesses(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  if (args.some((arg) => /^(?:-h|--help|--print-config)$/.test(arg))) return;
  if (args[0] === 'run')
    prefork(new URL(`../../platform/deployments/worker-main.${extension}`, import.meta.url));
  else if (args[0] === 'serve' && wantsEdgeProcess(args.join(' '), environment))
    prefork(new URL(`../server/edge/processes/edge-process-main.${extension}`, import.meta.url));
}

function wantsEdgeProcess(text: string, environment: NodeJS.ProcessEnv): boolean {
  return (
    !/ --edge-workers[= ]0\b/.test(text) &&
    (environment['GATEHOUSE_EDGE_WORKERS'] !== '0' || / --edge-workers\b/.test(text))
  );
}

/** An unused process would keep this process from exiting. */
export function endPreforkedProcesses(): void {
  endPreforked();
}
