/**
 * The one door for everything that leaves the process of a Worker: a connection keeps to the rules
 * (`outbound-rules.ts`), and what is no connection is refused (`refuse-ways-out.ts`).
 *
 * It keeps a request from being led to what only this machine can reach, and code from getting there by another module than
 * the one that was thought of. Files are not its subject: a process that is confined has those of Node's permission model.
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
