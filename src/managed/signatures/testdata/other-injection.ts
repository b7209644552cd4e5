import { type Cases, agent, form, get, header, json, post, query } from '../../testing.ts';

export const otherInjectionCases: Readonly<Record<string, Cases>> = {
  '100076': {
    hits: [
      get('/login?user[$ne]=x&pass[$ne]=x'),
      form({ 'password[$regex]': '^a' }),
      get('/?a%5B%24where%5D=1'),
    ],
    misses: [get('/?filter[name]=x&price[gt]=5'), get('/?cost=$ne')],
  },
  '100076B': {
    hits: [json({ username: 'admin', password: { $ne: null } }), json({ email: { $regex: '.*' } })],
    misses: [json({ price: { $gt: 5 } }), json({ password: '{"$ne":1}'.slice(1) })],
  },
  '100076C': {
    hits: [
      json({ $where: 'this.a == 1' }),
      query("x' || this.password.match(/.*/)"),
      query("1';return true;var x='"),
      query("' || '1'=='1"),
    ],
    misses: [json({ where: { a: 1 } }), json({ code: 'function f() { return true; }' })],
  },
  '100077': {
    hits: [get('/?__proto__[admin]=1'), form({ 'constructor[prototype][x]': '1' }), get('/?a.__proto__.x=1')],
    misses: [query('__proto__ explained'), query('what is constructor.prototype')],
  },
  '100077B': {
    hits: [
      post('/api', 'application/json', '{"__proto__":{"admin":true}}'),
      json({ constructor: { prototype: { a: 1 } } }),
    ],
    misses: [json({ text: 'never use __proto__: it is slow' }), json({ constructor: 'Ferrari' })],
  },
  '100078': {
    hits: [query('*)(uid=*))(|(uid=*'), form('admin)(&(password=x'), query('x)(objectClass=*')],
    misses: [query('(a) (b)'), json({ code: 'f(x)(y)' }), form('call(me)(maybe)')],
  },
  '100079': {
    hits: [query("' or count(/*)=1 or 'a'='b"), query("x']|//user"), query('a/ancestor-or-self::node()')],
    misses: [query('parent::child relation'), form('a | b | c // comment')],
  },
  '100080': {
    hits: [
      get('/?u=x%0d%0aSet-Cookie:a=b'),
      get('/%0aLocation:%20//evil.example'),
      get('/?x=%250d%250aContent-Type:text/html'),
    ],
    misses: [get('/?text=line%0Aanother: line'.replace(' ', '%20')), query('Location: Berlin')],
  },
  '100080B': {
    hits: [get('/?u=x%E5%98%8D%E5%98%8ASet-Cookie:a=b')],
    misses: [get('/?q=%E5%98%8E')],
  },
  '100081': {
    hits: [
      form({ email: 'a@b.example\r\nBcc: all@example.com', text: 'x' }),
      form({ subject: 'x\nCC: y@example.com' }),
    ],
    misses: [form({ message: 'Hi,\n\nCc: Bob\nTo: Alice' }), form({ email: 'a@b.example' })],
  },
  '100082': {
    hits: [header('host', 'example.com<script>'), header('host', 'example.com/admin')],
    misses: [header('host', 'example.com:8443'), header('host', '[2001:db8::1]:80')],
  },
  '100083': {
    hits: [
      header('x-forwarded-for', "1' and sleep(5)-- "),
      agent("x'XOR(if(now()=sysdate(),sleep(6),0))XOR'"),
      header('referer', "' union select 1"),
    ],
    misses: [header('x-forwarded-for', '203.0.113.9, 198.51.100.2'), agent('SleepTracker/5 (5)')],
  },
};
