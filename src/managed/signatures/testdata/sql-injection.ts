import { type Cases, form, get, header, json, query } from '../../testing.ts';

export const sqlInjectionCases: Readonly<Record<string, Cases>> = {
  '100008': {
    hits: [
      query('1 UNION SELECT null,null,version()'),
      query("-1' UnIoN/**/aLL/**/SeLeCt 1,2,3-- -"),
      get('/item?id=1%2527%2520union%2520select%25201,2'),
      form("x' union select username, password from users"),
      header('cookie', 'session=1%27+union+select+user()'),
    ],
    misses: [
      query('select a union rep'),
      query('western union select committee'),
      query('reunion selection 2024'),
    ],
  },
  '100008B': {
    hits: [
      query('1/*!50000UNION*/ /*!50000SELECT*/ x'),
      query('1 union/*comment*/select'),
      query('1 /*!select*/'),
    ],
    misses: [query('union /ˈjuːnɪən/ select'), form('the union /* see note */ meets on Friday')],
  },
  '100008C': {
    hits: [query('1 un/**/ion se/**/lect password'), json({ id: '1 UNI/*x*/ON SEL/*x*/ECT 1' })],
    misses: [form('un /* une */ ion'), query('u/n/i/o/n')],
  },
  '100009': {
    hits: [
      query("admin' OR 'a'='a"),
      form({ user: "x' or ''='", pass: "' or '1'='1" }),
      json({ name: "x') or ('a'='a" }),
      query('x" or "1"="1'),
    ],
    misses: [
      query("rock 'n' roll or 'blues'"),
      json({ code: "if x == 'a' or 'b' == x: pass" }),
      query(`"yes" or "no" = both fine`),
    ],
  },
  '100009B': {
    hits: [query('1 or 1=1'), query("5' and '7'='7' -- "), form('1) or 2 = 2'), query("x'||  1=1")],
    misses: [query('2 or 3 bedrooms'), query('1 and 2 = companions'), query('4 or 5 stars')],
  },
  '100009C': {
    hits: [query("x' or 1--"), query("admin' or true#"), query("' || '1' -- ")],
    misses: [query("rock 'n' roll' or 1 song"), query("o'brien or true blood")],
  },
  '100010': {
    hits: [
      query('1; DROP TABLE users'),
      form("Robert'); DROP TABLE students;--"),
      query("1';exec master..xp_cmdshell 'dir'"),
      query("5';declare @q varchar(99)"),
    ],
    misses: [
      query('drop table lamps'),
      query("it's a drop; table for two"),
      form('First we eat; create table settings'),
    ],
  },
  '100011': {
    hits: [
      query("1' and sleep(5)-- "),
      query('1;select pg_sleep(10)'),
      query("1'; waitfor delay '0:0:5'--"),
      query('if(now()=sysdate(),sleep(15),0)'),
      query("1' or benchmark(10000000,md5(1))"),
    ],
    misses: [query('time.sleep(5) python'), query('baby sleep (12 months)'), query('benchmark 2024')],
  },
  '100011B': {
    hits: [form("x' and sleep(5)#"), json({ id: "1' OR pg_sleep(3)--" }), form('1 and (select sleep(3))')],
    misses: [json({ code: 'for i in range(3):\n    time.sleep(1)\n' }), form('usleep(100); sleep(1);')],
  },
  '100012': {
    hits: [
      query('1 and (select count(*) from information_schema.tables)>0'),
      query('select name from sqlite_master'),
    ],
    misses: [query('what is information_schema'), query('letters from mysql users')],
  },
  '100013': {
    hits: [
      query('1 and extractvalue(1,concat(0x7e,version()))'),
      form("' and updatexml(null,concat(0x3a,user()),null)"),
      query("' union select 1 into outfile '/tmp/x'"),
      query("load_file('/etc/passwd')"),
    ],
    misses: [query('extractvalue documentation'), query('load file (pdf)'), query('go into outfield')],
  },
  '100014': {
    hits: [query("admin'--"), query("1') -- -"), query("x'#"), get('/p?id=1%27/*&b=1')],
    misses: [query("O'Brien -- actor"), query("the boys' # 1 hit"), query('"quoted" -- dash')],
  },
  '100014B': {
    hits: [form({ username: "admin'--", password: 'x' }), json({ email: "a@b.example' #" })],
    misses: [form({ username: "o'brien", password: "it's--fine" }), json({ email: "d'angelo@example.com" })],
  },
  '100016': {
    hits: [
      query('1 and ascii(substring((select password),1,1))>64'),
      query("1' and length(database())=5-- "),
    ],
    misses: [query('left (hand) or right (hand)'), query('where substring (programming)')],
  },
  '100017': {
    hits: [
      query("1' and (select 1 from dual)"),
      query('1-(select*from users)'),
      form("x'||(select password from users)"),
    ],
    misses: [query('section 5 (select committee)'), form('Item 3, (select one from the list)')],
  },
  '100018': {
    hits: [query("1' order by 10--"), get('/p?id=5+order+by+3'), query("x' having 1=1")],
    misses: [query('order by 5 pm'), query('group by 4 friends'), get('/list?sort=order+by+name')],
  },
  '100019': {
    hits: [
      query('1 and 1=convert(int,char(65,66,67))'),
      query('select cast(0x53454c454354202a2046524f4d as char)'),
    ],
    misses: [query('0x53454c454354202a2046524f4d'), json({ tx: '0x53454c454354202a2046524f4d20' })],
  },
  '100020': {
    hits: [query(`1' or json_length('{}') <= 8896`), query(`1 or '{"b":2}'::jsonb <@ '{"a":1}'`)],
    misses: [query('json_extract mysql example'), query('yaml or json')],
  },
  '100020B': {
    hits: [get('/report?sql=select+name,id+from+users'), get('/x?q=delete+from+users+where+id')],
    misses: [query('how to select rows from a table'), query('select')],
  },
};
