/** Answers of the API that several pages show, with their names for users. */
import type { Result } from '#client';

export type Zone = Result<'zones.get'>;
export type ZonePlan = Zone['plan']['legacy_id'];

/** An event of the activity log. An attacker controls most of it: it is only shown as text. */
export type SecurityEvent = Result<'security.get'>;

/** How a request was evaluated. All of it is text for people, and an attacker controls part of it. */
export type Judged = Result<'security.trace'>['explanation'];
export type JudgedStep = Judged['steps'][number];
export type JudgedRule = Judged['rules'][number];
/** An expression, or a part of it, with the values that it saw. */
export type JudgedPart = NonNullable<JudgedRule['tree']>;
export type JudgedMatch = NonNullable<JudgedPart['matched']>[number];
