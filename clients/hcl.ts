/**
 * Resources as objects, written for the providers: nested values are blocks for provider 4, and attributes for provider
 * 5.
 */
import type { ProviderName } from './builds.ts';

export type Generation = Extract<ProviderName, 'provider-4' | 'provider-5'>;

/** An expression of the language itself, such as an attribute of another resource. */
export class Reference {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Scalar = string | number | boolean | Reference;
type Attribute = Scalar | Attributes | readonly Scalar[] | readonly Attributes[];
export interface Attributes {
  readonly [name: string]: Attribute | undefined;
}

export function writeResource(
  generation: Generation,
  type: string,
  { name = 'one', content }: { readonly name?: string; readonly content: Attributes },
): string {
  return `resource "cloudflare_${type}" "${name}" {\n${writeBody(generation, content)}\n}\n`;
}

function writeBody(generation: Generation, content: Attributes): string {
  return Object.entries(content)
    .flatMap(([name, value]) => (value === undefined ? [] : writeOne(generation, name, value)))
    .join('\n');
}

function writeOne(generation: Generation, name: string, value: Attribute): string[] {
  const parts = (Array.isArray(value) ? value : [value]) as readonly Attribute[];
  if (generation === 'provider-5' || parts.length === 0 || !parts.every(isNested))
    return [`${writeName(name)} = ${writeValue(generation, value)}`];
  return parts.map((part) => `${name} {\n${writeBody(generation, part)}\n}`);
}

function writeValue(generation: Generation, value: Attribute): string {
  if (Array.isArray(value))
    return `[${value.map((each: Attribute) => writeValue(generation, each)).join(', ')}]`;
  if (isNested(value)) return `{\n${writeBody(generation, value)}\n}`;
  if (value instanceof Reference) return value.text;
  return JSON.stringify(value).replaceAll('${', '$${');
}

function isNested(value: Attribute): value is Attributes {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Reference);
}

function writeName(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}
