/**
 * `gatehouse serve` has an edge process, unless told otherwise, and `gatehouse run` one of the Worker. They are started
 * before the program has loaded its own code, so that both load at the same time. What is not needed after all, the program
 * ends.
 */
import { endAhead, startAhead } from '#processes';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

export function startProcessesAhead(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  if (args.some((arg) => /^(?:-h|--help|--print-config)$/.test(arg))) return;
  if (args[0] === 'run')
    startAhead(new URL(`../../platform/deployments/worker-main.${extension}`, import.meta.url));
  else if (args[0] === 'serve' && wantsEdgeProcess(args.join(' '), environment))
    startAhead(new URL(`../server/edge/processes/edge-process-main.${extension}`, import.meta.url));
}

function wantsEdgeProcess(text: string, environment: NodeJS.ProcessEnv): boolean {
  return (
    !/ --edge-workers[= ]0\b/.test(text) &&
    (environment['GATEHOUSE_EDGE_WORKERS'] !== '0' || / --edge-workers\b/.test(text))
  );
}

/** A process that was not taken over would keep this process from ending. */
export function endProcessesAhead(): void {
  endAhead();
}
