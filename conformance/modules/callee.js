import { DurableObject } from 'cloudflare:workers';
export class Callee extends DurableObject {}
export class Bare extends DurableObject {}
