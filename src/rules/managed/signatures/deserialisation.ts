/** Serialised objects that run code when they are read. */
import {
  body,
  cookie,
  matchAny,
  matchAnyBehind,
  headers,
  containsText,
  query,
  rawBody,
  type Signature,
} from './signature.ts';

export const deserialisation: readonly Signature[] = [
  {
    legacyId: '100066',
    description: 'Deserialisation - Java object in Base64 or hexadecimal',
    categories: ['deserialization', 'java'],
    expression: matchAny(
      String.raw`(?:^|["'=:&>\s])(?:(?-i:rO0AB[Xnk])|aced0005(?:7[0-9a-d]){2})`,
      query,
      body,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100066B',
    description: 'Deserialisation - Java object as it is',
    categories: ['deserialization', 'java'],
    expression: matchAny(String.raw`\xac\xed\x00\x05[swurxztpq]`, rawBody),
  },
  {
    legacyId: '100067',
    description: 'Deserialisation - Java classes that lead to a process',
    categories: ['deserialization', 'java'],
    expression: matchAny(
      String.raw`org\.apache\.(?:commons\.collections4?\.(?:functors\.(?:invoker|chained|constant|instantiate)transformer|keyvalue\.tiedmapentry)|commons\.beanutils\.beancomparator|xalan\.xsltc\.trax\.templatesimpl|xbean\.propertyeditor\.jndiconverter)|com\.sun\.(?:rowset\.jdbcrowsetimpl|org\.apache\.xalan\.internal\.xsltc\.trax\.templatesimpl|org\.apache\.bcel\.internal\.util\.classloader)|org\.springframework\.context\.support\.(?:classpath|filesystem)xmlapplicationcontext\W{1,8}https?:|ysoserial|com\.mchange\.v2\.c3p0\.(?:wrapperconnectionpooldatasource|jndirefforwardingdatasource)|javax\.management\.badattributevalueexpexception|sun\.reflect\.annotation\.annotationinvocationhandler|org\.codehaus\.groovy\.runtime\.(?:convertedclosure|methodclosure)|\$\$bcel\$\$`,
      query,
      body,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100068',
    description: 'Deserialisation - Java type named in JSON (Fastjson, Jackson)',
    categories: ['deserialization', 'java', 'fastjson'],
    expression: matchAny(
      String.raw`"@type"\s*:\s*"\s*L?(?:com\.sun\.|java\.(?:lang\.(?:class|autocloseable|exception|runtime)|net\.(?:url|inet)|io\.)|javax\.|org\.apache\.|com\.mchange|com\.zaxxer|ch\.qos\.logback|org\.hibernate|\[com|br\.com)|\[\s*"(?:com\.sun\.rowset|org\.apache\.xbean|ch\.qos\.logback\.core|com\.mchange|org\.springframework\.context\.support|javax\.swing\.jeditorpane)[\w.]*"\s*,`,
      body,
    ),
  },
  {
    legacyId: '100069',
    description: 'Deserialisation - Java objects in XML or YAML (XStream, XMLDecoder, SnakeYAML)',
    categories: ['deserialization', 'java'],
    expression: matchAny(
      String.raw`<(?:java\.(?:lang\.processbuilder|util\.priorityqueue|beans\.eventhandler)|javax\.(?:imageio\.spi\.filteriterator|naming\.)|dynamic-proxy>|sorted-set>\s*<(?:string|dynamic)|jdk\.nashorn)|<java\s[^>]*class\s*=\s*\\?["']java\.beans\.xmldecoder|<(?:object|void)\s[^>]*class\s*=\s*\\?["']java\.(?:lang\.(?:processbuilder|runtime)|io\.)|!!javax\.script\.scriptenginemanager|!!java\.net\.urlclassloader|!!com\.sun\.rowset`,
      body,
    ),
  },
  {
    legacyId: '100070',
    description: 'Deserialisation - PHP object',
    categories: ['deserialization', 'php'],
    group: 'Cloudflare Php',
    expression: matchAnyBehind(
      String.raw`[oc]:[ ]?\d{1,4}:`,
      String.raw`(?:^|[=:;{&"'\s])[oc]:[ ]?\d{1,4}:\\?"[\w\\]{1,160}\\?":\d{1,5}:\{(?:s:\d|a:\d|i:|o:\d|\}|r:)`,
      query,
      body,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100071',
    description: 'Deserialisation - Python pickle or YAML',
    categories: ['deserialization', 'python'],
    expression: matchAny(
      String.raw`c(?:os|posix|nt|subprocess|__builtin__|builtins)\n(?:system|popen|execfile|eval|exec|check_output|call|run)\n|!!python/(?:object/(?:apply|new)|name|module):|gASV[\w/ =-]{0,80}(?:c3lzdGVt|cG9wZW4|ZXZhbA|c3VicHJvY2Vzcw)`,
      query,
      body,
      cookie,
    ),
  },
  {
    legacyId: '100072',
    description: 'Deserialisation - .NET object',
    categories: ['deserialization', 'dotnet'],
    expression: `(${containsText('AAEAAAD/////', query, body, cookie)} or ${matchAny(
      String.raw`"\$type"\s*:\s*"(?:system\.(?:windows\.data\.objectdataprovider|management\.automation|diagnostics\.process|configuration\.install|security\.principal\.windowsidentity|io\.)|microsoft\.visualstudio\.text\.formatting)|objectdataprovider.{0,200}(?:methodname|process)|system\.windows\.markup\.xamlreader|<diffgr:diffgram[^>]*>.{0,400}expandedwrapper`,
      body,
    )})`,
  },
  {
    legacyId: '100073',
    description: 'Deserialisation - function in a JavaScript object (node-serialize)',
    categories: ['deserialization', 'nodejs', 'cve-2017-5941'],
    expression: matchAny(String.raw`_\$\$nd_func\$\$_`, query, body, cookie),
  },
  {
    legacyId: '100073B',
    description: 'Deserialisation - Ruby objects in YAML, JSON or XML',
    categories: ['deserialization', 'ruby', 'cve-2013-0156'],
    expression: matchAny(
      String.raw`!ruby/(?:object|hash|struct|class|module|regexp|exception):|<\w+\s+type\s*=\s*["']?yaml["']?\s*>\s*---|"\^o"\s*:\s*"(?:gem|actioncontroller|activesupport)|"json_class"\s*:\s*"(?:gem|json::genericobject|range|struct)`,
      body,
      cookie,
    ),
  },
];
