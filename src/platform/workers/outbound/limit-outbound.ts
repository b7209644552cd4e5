/**
 * Limits everything that leaves the process of a Worker: connections must satisfy the rules (`outbound-rules.ts`), and
 * anything else is refused (`refuse-ways-out.ts`).
 *
 * It prevents requests to addresses that only this machine can reach, whichever module the code uses. It does not cover
 * files: Node's permission model limits those of a confined process.
 */
import { findHandles } from './handles.ts';
import { limitConnections } from './limit-connections.ts';
import { type OutboundOptions, OutboundRules } from './outbound-rules.ts';
import { refuseWaysOut } from './refuse-ways-out.ts';

let rules: OutboundRules | undefined;

/** Called before the code of the Worker is loaded; a second call replaces the rules. */
export function limitOutbound(options: OutboundOptions): void {
  const isInstalled = rules !== undefined;
  rules = new OutboundRules(options);
  if (isInstalled) return;
  const handles = findHandles();
  limitConnections(() => rules!, handles);
  refuseWaysOut(handles);
}
