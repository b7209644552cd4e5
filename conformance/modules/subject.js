import { DurableObject } from 'cloudflare:workers';
import { describe, how, message, outcome } from './describe.js';
import { probeOf } from './registry.js';

/** The object probes are made on. What it does in its constructor and its alarm, its probe decides. */
class Subject extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.constructions = (probeOf(ctx.id.name)?.construct?.(this.tools()), 1);
  }

  tools() {
    const { ctx, env } = this;
    return {
      ctx,
      env,
      self: this,
      storage: ctx.storage,
      sql: ctx.storage.sql,
      kv: ctx.storage.kv,
      how,
      message,
      outcome,
      describe,
    };
  }

  /** A whole probe; described in here, so that nothing depends on what RPC can carry. */
  async inside() {
    return JSON.stringify(await outcome(() => probeOf(this.ctx.id.name).inside(this.tools())));
  }

  step(name, ...args) {
    return probeOf(this.ctx.id.name).steps[name](this.tools(), ...args);
  }

  fetch(request) {
    return probeOf(this.ctx.id.name).steps.fetch(this.tools(), request);
  }

  webSocketMessage(...args) {
    return probeOf(this.ctx.id.name).message?.(this.tools(), ...args);
  }

  webSocketClose(...args) {
    return probeOf(this.ctx.id.name).close?.(this.tools(), ...args);
  }

  webSocketError(...args) {
    return probeOf(this.ctx.id.name).error?.(this.tools(), ...args);
  }
}

class Alarmed extends Subject {
  alarm(info) {
    return probeOf(this.ctx.id.name).alarm(this.tools(), info);
  }
}

export class SqlSubject extends Alarmed {}
export class KvSubject extends Alarmed {}
export class SilentSubject extends Subject {}
