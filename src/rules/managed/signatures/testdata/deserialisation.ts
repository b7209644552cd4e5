import { type Cases, form, get, header, json, post, query, xml } from '../../testing.ts';

export const deserialisationCases: Readonly<Record<string, Cases>> = {
  '100066': {
    hits: [
      header('cookie', 'session=rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA'),
      json({ state: 'rO0ABXNyABFqYXZh' }),
      query('aced00057372001a'),
      header('authorization', 'Bearer rO0ABXVyABNb'),
    ],
    misses: [header('cookie', 'session=ro0abxnyabfq'), json({ id: 'baced0005' })],
  },
  '100066B': {
    hits: [post('/invoker/readonly', 'application/octet-stream', Buffer.from('aced00057372', 'hex'))],
    misses: [post('/upload', 'application/octet-stream', Buffer.from('aced0105ffff', 'hex'))],
  },
  '100067': {
    hits: [
      form('org.apache.commons.collections.functors.InvokerTransformer'),
      json({ a: 'com.sun.rowset.JdbcRowSetImpl' }),
    ],
    misses: [form('I use org.apache.commons.lang3.StringUtils'), query('commons collections')],
  },
  '100068': {
    hits: [
      json({ '@type': 'com.sun.rowset.JdbcRowSetImpl', dataSourceName: 'x' }),
      json({ a: { '@type': 'java.net.Inet4Address' } }),
    ],
    misses: [
      json({ '@type': 'Person', name: 'Ada' }),
      json({ '@context': 'https://schema.org', '@type': 'Organization' }),
    ],
  },
  '100069': {
    hits: [
      xml('<map><entry><java.lang.ProcessBuilder/></entry></map>'),
      xml(
        '<java version="1.8" class="java.beans.XMLDecoder"><void class="java.lang.ProcessBuilder"/></java>',
      ),
      post('/config', 'text/yaml', '!!javax.script.ScriptEngineManager []'),
    ],
    misses: [xml('<java version="17"/>'), xml('<object class="hero">x</object>')],
  },
  '100070': {
    hits: [
      query('O:8:"stdClass":1:{s:1:"a";i:1;}'),
      header('cookie', 'd=O%3A4%3A%22User%22%3A0%3A%7B%7D'),
      form('a:1:{i:0;O:7:"Example":1:{s:1:"x"}}'),
    ],
    misses: [query('O: 8 ways'), json({ time: '10:30:00' }), form('a:1:{s:3:"key";s:5:"value";}')],
  },
  '100071': {
    hits: [
      post('/load', 'application/octet-stream', "cos\nsystem\n(S'id'\ntR."),
      form("!!python/object/apply:os.system ['id']"),
    ],
    misses: [form('import os\nos.system'), form('python/object model')],
  },
  '100072': {
    hits: [
      form({ __VIEWSTATE: 'AAEAAAD/////AQAAAAAAAAAMAgAAAF' }),
      json({ $type: 'System.Windows.Data.ObjectDataProvider, PresentationFramework' }),
    ],
    misses: [form({ __VIEWSTATE: '/wEPDwUKMTI3ODM4NzYzOQ9kFgI=' }), json({ $type: 'MyApp.Models.Order' })],
  },
  '100073': {
    hits: [
      header('cookie', 'profile={"x":"_$$ND_FUNC$$_function(){}()"}'),
      json({ r: '_$$ND_FUNC$$_function(){}' }),
    ],
    misses: [json({ r: '$$func$$' }), get('/_nd_func')],
  },
  '100073B': {
    hits: [
      post('/x', 'text/yaml', '--- !ruby/object:Gem::Installer\ni: x'),
      xml('<x type="yaml">--- !ruby</x>'),
    ],
    misses: [post('/x', 'text/yaml', 'language: ruby\nobject: gem'), xml('<x type="yaml-file"/>')],
  },
};
