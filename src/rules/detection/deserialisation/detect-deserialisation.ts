/**
 * Serialised objects that run code when they are read: recognised by the first bytes of their formats, and by the
 * classes that attacks use.
 */
import type { Detector } from '../finding.ts';
import { Shapes } from '../shapes.ts';

/* oxlint-disable no-control-regex -- formats begin with them */
const shapes = new Shapes([
  [/^\xac\xed\x00\x05|^rO0AB[A-Za-z0-9+/]{8}|^aced0005[0-9a-f]{8}/i, 92, 'an object of Java'],
  [/^AAEAAAD\/{4,}[A-Za-z0-9+/]/, 90, 'an object of .NET'],
  [/(?:^|[;{|:])[OC]:\+?\d{1,5}:"[\w\\]{1,120}":\d{1,5}:\{/, 86, 'an object of PHP'],
  [
    /^(?:\x80[\x02-\x05]|gAS|gAJ|gAN)[^]{0,200}(?:\x94|c__builtin__|cos|cposix|subprocess|R\.$)|^c(?:os|posix|subprocess|__builtin__|builtins|nt)\r?\n(?:system|popen|eval|exec|Popen|check_output)\r?\n|^gA[SJN][A-Za-z0-9+/]{12}/,
    94,
    'an object of Python that calls a function',
  ],
  [
    /!!(?:python\/(?:object|name|module)|javax?\.|com\.sun|org\.)|!(?:ruby\/(?:object|hash|struct)|!python)/i,
    94,
    'an object in YAML',
  ],
  [
    /["']@type["']\s{0,8}:\s{0,8}["'](?:com\.sun|org\.apache|java\.|javax\.|ch\.qos|com\.mchange|com\.zaxxer|L[a-z])/i,
    94,
    'a class in JSON',
  ],
  [/["']\$type["']\s{0,8}:\s{0,8}["'](?:System\.|Microsoft\.)[^"']{0,200}/, 90, 'a class of .NET in JSON'],
  [/^BAhvO[A-Za-z0-9+/]{8}/, 90, 'an object of Ruby'],
  [/"py\/(?:object|reduce|type|function)"\s{0,8}:/, 92, 'an object of Python in JSON'],
  [/<java\.(?:util|lang|beans|io)\.\w|serialization=["']custom/, 90, 'an object in XML'],
  [/_\$\$ND_FUNC\$\$_/, 96, 'a function in an object of Node'],
  [
    /<(?:java\b[^<>]{0,80}\bclass="java\.beans|object\s[^<>]{0,80}class="java\.(?:lang|util|io)|void\s[^<>]{0,40}(?:method|property)=|(?:dynamic-proxy|sorted-set)>|ObjectDataProvider\b|java\.lang\.ProcessBuilder\b)/i,
    92,
    'an object in XML',
  ],
  [
    /\b(?:TemplatesImpl|JdbcRowSetImpl|BadAttributeValueExpException|InvokerTransformer|ChainedTransformer|AnnotationInvocationHandler|ObjectDataProvider|TypeConfuseDelegate|BeanComparator|LazyMap|ScriptEngineManager|ysoserial)\b/,
    88,
    'a class that attacks are built of',
  ],
]);
/* oxlint-enable no-control-regex */

export const detectDeserialisation: Detector = (text) => {
  for (const [shape, confidence, why] of shapes.in(text)) {
    const found = shape.exec(text);
    if (found !== null) return { confidence, why, start: found.index, end: found.index + found[0].length };
  }
  return undefined;
};
