/**
 * `gatehouse serve` has an edge process, unless told otherwise. It is started before the program has loaded its own
 * code, so that both load at the same time. If there is none after all, the program ends it.
 */
import { endAhead, startAhead } from '#processes';

export function startEdgeProcessAhead(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  const text = args.join(' ');
  const isWanted =
    !/ (?:-h|--help|--print-config)\b/.test(text) &&
    !/ --edge-workers[= ]0\b/.test(text) &&
    (environment['GATEHOUSE_EDGE_WORKERS'] !== '0' || / --edge-workers\b/.test(text));
  if (!isWanted) return;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  startAhead(new URL(`../server/edge/processes/edge-process-main.${extension}`, import.meta.url));
}

/** A process that was not taken over would keep this process from ending. */
export function endEdgeProcessAhead(): void {
  endAhead();
}
