import{c as B}from"./chunk-5U7DADUP.js";var Z,v,Oe,Et,R,Re,Ae,Ie,pe,X,q,Pe,ve,me,he,Ct,G={},Q=[],Rt=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,ee=Array.isArray;function C(e,t){for(var n in t)e[n]=t[n];return e}function $e(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function ge(e,t,n){var r,s,o,i={};for(o in t)o=="key"?r=t[o]:o=="ref"?s=t[o]:i[o]=t[o];if(arguments.length>2&&(i.children=arguments.length>3?Z.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(o in e.defaultProps)i[o]===void 0&&(i[o]=e.defaultProps[o]);return z(e,i,r,s,null)}function z(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:void 0,__v:s??++Oe,__i:-1,__u:0};return s==null&&v.vnode!=null&&v.vnode(o),o}function te(e){return e.children}function P(e,t){this.props=e,this.context=t}function N(e,t){if(t==null)return e.__?N(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?N(e):null}function Mt(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,r=[],s=[],o=C({},t);o.__v=t.__v+1,v.vnode&&v.vnode(o),ye(e.__P,o,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,r,n??N(t),!!(32&t.__u),s),o.__v=t.__v,o.__.__k[o.__i]=o,qe(r,o,s),t.__e=t.__=null,o.__e!=n&&De(o)}}function De(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.__e=e.__c.base=t.__e}),De(e)}function Me(e){(!e.__d&&(e.__d=!0)&&R.push(e)&&!Y.__r++||Re!=v.debounceRendering)&&((Re=v.debounceRendering)||Ae)(Y)}function Y(){try{for(var e,t=1;R.length;)R.length>t&&R.sort(Ie),e=R.shift(),t=R.length,Mt(e)}finally{R.length=Y.__r=0}}function Fe(e,t,n,r,s,o,i,l,c,u,f){var p,a,d,m,k,y,w=r&&r.__k||Q,h=t.length;for(c=Nt(n,t,w,c,h),p=0;p<h;p++)(d=n.__k[p])!=null&&(a=d.__i!=-1&&w[d.__i]||G,d.__i=p,y=ye(e,d,a,s,o,i,l,c,u,f),m=d.__e,d.ref&&a.ref!=d.ref&&(a.ref&&be(a.ref,null,d),f.push(d.ref,d.__c||m,d)),k==null&&m!=null&&(k=m),4&d.__u?(c=Ue(d,c,e),a.__e&&(a.__e=null)):typeof d.type=="function"&&y!==void 0?c=y:m&&(c=m.nextSibling),d.__u&=-7);return n.__e=k,c}function Nt(e,t,n,r,s){var o,i,l,c,u,f=n.length,p=f,a=0;for(e.__k=new Array(s),o=0;o<s;o++)(i=t[o])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i=="string"||typeof i=="number"||typeof i=="bigint"||i.constructor==String?i=e.__k[o]=z(null,i,null,null,null):ee(i)?i=e.__k[o]=z(te,{children:i},null,null,null):i.constructor===void 0&&i.__b>0?i=e.__k[o]=z(i.type,i.props,i.key,i.ref?i.ref:null,i.__v):e.__k[o]=i,c=o+a,i.__=e,i.__b=e.__b+1,l=null,(u=i.__i=Lt(i,n,c,p))!=-1&&(p--,(l=n[u])&&(l.__u|=2)),l==null||l.__v==null?(u==-1&&(s>f?a--:s<f&&a++),typeof i.type!="function"&&(i.__u|=4)):u!=c&&(u==c-1?a--:u==c+1?a++:(u>c?a--:a++,i.__u|=4))):e.__k[o]=null;if(p)for(o=0;o<f;o++)(l=n[o])!=null&&(2&l.__u)==0&&(l.__e==r&&(r=N(l)),We(l,l));return r}function Ue(e,t,n){var r,s;if(typeof e.type=="function"){for(r=e.__k,s=0;r&&s<r.length;s++)r[s]&&(r[s].__=e,t=Ue(r[s],t,n));return t}e.__e!=t&&(t&&e.type&&!t.parentNode&&(t=N(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function Lt(e,t,n,r){var s,o,i,l=e.key,c=e.type,u=t[n],f=u!=null&&(2&u.__u)==0;if(u===null&&l==null||f&&l==u.key&&c==u.type)return n;if(r>(f?1:0)){for(s=n-1,o=n+1;s>=0||o<t.length;)if((u=t[i=s>=0?s--:o++])!=null&&(2&u.__u)==0&&l==u.key&&c==u.type)return i}return-1}function Ne(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=n==null?"":typeof n!="number"||Rt.test(t)?n:n+"px"}function J(e,t,n,r,s){var o,i;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Ne(e.style,t,"");if(n)for(t in n)r&&n[t]==r[t]||Ne(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")o=t!=(t=t.replace(Pe,"$1")),i=t.toLowerCase(),t=i in e||t=="onFocusOut"||t=="onFocusIn"?i.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+o]=n,n?r?n[q]=r[q]:(n[q]=ve,e.addEventListener(t,o?he:me,o)):e.removeEventListener(t,o?he:me,o);else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function Le(e){return function(t){if(this.l){var n=this.l[t.type+e];if(t[X]==null)t[X]=ve++;else if(t[X]<n[q])return;return n(v.event?v.event(t):t)}}}function ye(e,t,n,r,s,o,i,l,c,u){var f,p,a,d,m,k,y,w,h,T,U,M,H,Ce,V,de,E=t.type;if(t.constructor!==void 0)return null;128&n.__u&&(c=!!(32&n.__u),o=[l=t.__e=n.__e]),(f=v.__b)&&f(t);e:if(typeof E=="function"){p=i.length;try{if(h=t.props,T=E.prototype&&E.prototype.render,U=(f=E.contextType)&&r[f.__c],M=f?U?U.props.value:f.__:r,n.__c?w=(a=t.__c=n.__c).__=a.__E:(T?t.__c=a=new E(h,M):(t.__c=a=new P(h,M),a.constructor=E,a.render=At),U&&U.sub(a),a.state||(a.state={}),a.__n=r,d=a.__d=!0,a.__h=[],a._sb=[]),T&&a.__s==null&&(a.__s=a.state),T&&E.getDerivedStateFromProps!=null&&(a.__s==a.state&&(a.__s=C({},a.__s)),C(a.__s,E.getDerivedStateFromProps(h,a.__s))),m=a.props,k=a.state,a.__v=t,d)T&&E.getDerivedStateFromProps==null&&a.componentWillMount!=null&&a.componentWillMount(),T&&a.componentDidMount!=null&&a.__h.push(a.componentDidMount);else{if(T&&E.getDerivedStateFromProps==null&&h!==m&&a.componentWillReceiveProps!=null&&a.componentWillReceiveProps(h,M),t.__v==n.__v||!a.__e&&a.shouldComponentUpdate!=null&&a.shouldComponentUpdate(h,a.__s,M)===!1){t.__v!=n.__v&&(a.props=h,a.state=a.__s,a.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(I){I&&(I.__=t)}),Q.push.apply(a.__h,a._sb),a._sb=[],a.__h.length&&i.push(a),l=N(n);break e}a.componentWillUpdate!=null&&a.componentWillUpdate(h,a.__s,M),T&&a.componentDidUpdate!=null&&a.__h.push(function(){a.componentDidUpdate(m,k,y)})}if(a.context=M,a.props=h,a.__P=e,a.__e=!1,H=v.__r,Ce=0,T)a.state=a.__s,a.__d=!1,H&&H(t),f=a.render(a.props,a.state,a.context),Q.push.apply(a.__h,a._sb),a._sb=[];else do a.__d=!1,H&&H(t),f=a.render(a.props,a.state,a.context),a.state=a.__s;while(a.__d&&++Ce<25);a.state=a.__s,a.getChildContext!=null&&(r=C(C({},r),a.getChildContext())),T&&!d&&a.getSnapshotBeforeUpdate!=null&&(y=a.getSnapshotBeforeUpdate(m,k)),V=f!=null&&f.type===te&&f.key==null?je(f.props.children):f,l=Fe(e,ee(V)?V:[V],t,n,r,s,o,i,l,c,u),a.base=t.__e,t.__u&=-161,a.__h.length&&i.push(a),w&&(a.__E=a.__=null)}catch(I){if(i.length=p,t.__v=null,c||o!=null){if(I.then){for(t.__u|=c?160:128;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;o!=null&&(o[o.indexOf(l)]=null),t.__e=l}else if(o!=null)for(de=o.length;de--;)$e(o[de])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),I.then||He(t),v.__e(I,t,n)}}else o==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):l=t.__e=Ot(n.__e,t,n,r,s,o,i,c,u);return(f=v.diffed)&&f(t),128&t.__u?void 0:l}function He(e){e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(He))}function qe(e,t,n){for(var r=0;r<n.length;r++)be(n[r],n[++r],n[++r]);v.__c&&v.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){v.__e(o,s.__v)}})}function je(e){return typeof e!="object"||e==null||e.__b>0?e:ee(e)?e.map(je):e.constructor!==void 0?null:C({},e)}function Ot(e,t,n,r,s,o,i,l,c){var u,f,p,a,d,m,k,y=n.props||G,w=t.props,h=t.type;if(h=="svg"?s="http://www.w3.org/2000/svg":h=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o!=null){for(u=0;u<o.length;u++)if((d=o[u])&&"setAttribute"in d==!!h&&(h?d.localName==h:d.nodeType==3)){e=d,o[u]=null;break}}if(e==null){if(h==null)return document.createTextNode(w);e=document.createElementNS(s,h,w.is&&w),l&&(v.__m&&v.__m(t,o),l=!1),o=null}if(h==null)y===w||l&&e.data==w||(e.data=w);else{if(o=h=="textarea"&&w.defaultValue!=null?null:o&&Z.call(e.childNodes),!l&&o!=null)for(y={},u=0;u<e.attributes.length;u++)y[(d=e.attributes[u]).name]=d.value;for(u in y)d=y[u],u=="dangerouslySetInnerHTML"?p=d:u=="children"||u in w||u=="value"&&"defaultValue"in w||u=="checked"&&"defaultChecked"in w||J(e,u,null,d,s);for(u in w)d=w[u],u=="children"?a=d:u=="dangerouslySetInnerHTML"?f=d:u=="value"?m=d:u=="checked"?k=d:l&&typeof d!="function"||y[u]===d||J(e,u,d,y[u],s);if(f)l||p&&(f.__html==p.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[];else if(p&&(e.innerHTML=""),Fe(t.type=="template"?e.content:e,ee(a)?a:[a],t,n,r,h=="foreignObject"?"http://www.w3.org/1999/xhtml":s,o,i,o?o[0]:n.__k&&N(n,0),l,c),o!=null)for(u=o.length;u--;)$e(o[u]);l&&h!="textarea"||(u="value",h=="progress"&&m==null?e.removeAttribute("value"):m!=null&&(m!==e[u]||h=="progress"&&!m||h=="option"&&m!=y[u])&&J(e,u,m,y[u],s),u="checked",k!=null&&k!=e[u]&&J(e,u,k,y[u],s))}return e}function be(e,t,n){try{if(typeof e=="function"){var r=typeof e.__u=="function";r&&e.__u(),r&&t==null||(e.__u=e(t))}else e.current=t}catch(s){v.__e(s,n)}}function We(e,t,n){var r,s;if(v.unmount&&v.unmount(e),(r=e.ref)&&(r.current&&r.current!=e.__e||be(r,null,t)),(r=e.__c)!=null){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(o){v.__e(o,t)}r.base=r.__P=r.__n=null}if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&We(r[s],t,n||typeof e.type!="function");n||$e(e.__e),e.__c=e.__=e.__e=void 0}function At(e,t,n){return this.constructor(e,n)}function Ke(e,t,n){var r,s,o,i;t==document&&(t=document.documentElement),v.__&&v.__(e,t),s=(r=typeof n=="function")?null:n&&n.__k||t.__k,o=[],i=[],ye(t,e=(!r&&n||t).__k=ge(te,null,[e]),s||G,G,t.namespaceURI,!r&&n?[n]:s?null:t.firstChild?Z.call(t.childNodes):null,o,!r&&n?n:s?s.__e:t.firstChild,r,i),qe(o,e,i),e.props.children=null}Z=Q.slice,v={__e:function(e,t,n,r){for(var s,o,i;t=t.__;)if((s=t.__c)&&!s.__)try{if((o=s.constructor)&&o.getDerivedStateFromError!=null&&(s.setState(o.getDerivedStateFromError(e)),i=s.__d),s.componentDidCatch!=null&&(s.componentDidCatch(e,r||{}),i=s.__d),i)return s.__E=s}catch(l){e=l}throw e}},Oe=0,Et=function(e){return e!=null&&e.constructor===void 0},P.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=C({},this.state),typeof e=="function"&&(e=e(C({},n),this.props)),e&&C(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),Me(this))},P.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),Me(this))},P.prototype.render=te,R=[],Ae=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,Ie=function(e,t){return e.__v.__b-t.__v.__b},Y.__r=0,pe=Math.random().toString(8),X="__d"+pe,q="__a"+pe,Pe=/(PointerCapture)$|Capture$/i,ve=0,me=Le(!1),he=Le(!0),Ct=0;var Be=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var i=t[o++],l=t[o]?(t[0]|=i?1:2,n[t[o++]]):t[++o];i===3?r[0]=l:i===4?r[1]=Object.assign(r[1]||{},l):i===5?(r[1]=r[1]||{})[t[++o]]=l:i===6?r[1][t[++o]]+=l+"":i?(s=e.apply(l,Be(e,l,n,["",null])),r.push(s),l[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(l)}return r},Ve=new Map;function Je(e){var t=Ve.get(this);return t||(t=new Map,Ve.set(this,t)),(t=Be(this,t.get(e)||(t.set(e,t=function(n){for(var r,s,o=1,i="",l="",c=[0],u=function(a){o===1&&(a||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,a,i):o===3&&(a||i)?(c.push(3,a,i),o=2):o===2&&i==="..."&&a?c.push(4,a,0):o===2&&i&&!a?c.push(5,0,!0,i):o>=5&&((i||!a&&o===5)&&(c.push(o,0,i,s),o=6),a&&(c.push(o,a,0,s),o=6)),i=""},f=0;f<n.length;f++){f&&(o===1&&u(),u(f));for(var p=0;p<n[f].length;p++)r=n[f][p],o===1?r==="<"?(u(),c=[c],o=3):i+=r:o===4?i==="--"&&r===">"?(o=1,i=""):i=r+i[0]:l?r===l?l="":i+=r:r==='"'||r==="'"?l=r:r===">"?(u(),o=1):o&&(r==="="?(o=5,s=i,i=""):r==="/"&&(o<5||n[f][p+1]===">")?(u(),o===3&&(c=c[0]),o=c,(c=c[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),o=2):i+=r),o===3&&i==="!--"&&(o=4,c=c[0])}return u(),c}(e)),t),arguments,[])).length>1?t:t[0]}var It=Je,_=It.bind(ge);var j,$,we,Xe,W=0,nt=[],g=v,ze=g.__b,Ge=g.__r,Qe=g.diffed,Ye=g.__c,Ze=g.unmount,et=g.__;function xe(e,t){g.__h&&g.__h($,e,W||t),W=0;var n=$.__H||($.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function b(e){return W=1,Pt(st,e)}function Pt(e,t,n){var r=xe(j++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):st(void 0,t),function(l){var c=r.__N?r.__N[0]:r.__[0],u=r.t(c,l);c!==u&&(r.__N=[u,r.__[1]],r.__c.setState({}))}],r.__c=$,!$.__f)){var s=function(l,c,u){if(!r.__c.__H)return!0;var f=!1,p=r.__c.props!==l;if(r.__c.__H.__.some(function(d){if(d.__N){f=!0;var m=d.__[0];d.__=d.__N,d.__N=void 0,m!==d.__[0]&&(p=!0)}}),o){var a=o.call(this,l,c,u);return f?a||p:a}return!f||p};$.__f=!0;var o=$.shouldComponentUpdate,i=$.componentWillUpdate;$.componentWillUpdate=function(l,c,u){if(this.__e){var f=o;o=void 0,s(l,c,u),o=f}i&&i.call(this,l,c,u)},$.shouldComponentUpdate=s}return r.__N||r.__}function x(e,t){var n=xe(j++,3);!g.__s&&ot(n.__H,t)&&(n.__=e,n.u=t,$.__H.__h.push(n))}function L(e){return W=5,re(function(){return{current:e}},[])}function re(e,t){var n=xe(j++,7);return ot(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function rt(e,t){return W=8,re(function(){return e},t)}function Dt(){for(var e;e=nt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ne),t.__h.some(ke),t.__h=[]}catch(n){t.__h=[],g.__e(n,e.__v)}}}g.__b=function(e){$=null,ze&&ze(e)},g.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),et&&et(e,t)},g.__r=function(e){Ge&&Ge(e),j=0;var t=($=e.__c).__H;t&&(we===$?(t.__h=[],$.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(ne),t.__h.some(ke),t.__h=[],j=0)),we=$},g.diffed=function(e){Qe&&Qe(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(nt.push(t)!==1&&Xe===g.requestAnimationFrame||((Xe=g.requestAnimationFrame)||Ft)(Dt)),t.__H.__.some(function(n){n.u&&(n.__H=n.u,n.u=void 0)})),we=$=null},g.__c=function(e,t){t.some(function(n){try{n.__h.some(ne),n.__h=n.__h.filter(function(r){return!r.__||ke(r)})}catch(r){t.some(function(s){s.__h&&(s.__h=[])}),t=[],g.__e(r,n.__v)}}),Ye&&Ye(e,t)},g.unmount=function(e){Ze&&Ze(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(r){try{ne(r)}catch(s){t=s}}),n.__H=void 0,t&&g.__e(t,n.__v))};var tt=typeof requestAnimationFrame=="function";function Ft(e){var t,n=function(){clearTimeout(r),tt&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);tt&&(t=requestAnimationFrame(n))}function ne(e){var t=$,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),$=t}function ke(e){var t=$;e.__c=e.__(),$=t}function ot(e,t){return!e||e.length!==t.length||t.some(function(n,r){return n!==e[r]})}function st(e,t){return typeof t=="function"?t(e):t}var O=class extends Error{status;constructor(t,n){super(t),this.status=n}};async function oe(e){return await it(e,{method:"GET"})}async function se(e,t){return await it(e,{method:"POST",...t===void 0?{}:{body:t}})}async function it(e,t){let n=await fetch(e,{...t,headers:{accept:"application/json"}}).catch(()=>{});if(n===void 0)throw new O("The server doesn't answer. Is it still running?",0);if(n.status===204)return;let r=await n.json().catch(()=>{});if(n.ok)return r;let s=r?.error?.message??`The server answers with status ${n.status}`;throw new O(s,n.status)}function at({onKnown:e}){let[t,n]=b("");return _`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async s=>{s.preventDefault();let o=s.target.elements.namedItem("key");try{await se("session",o.value.trim()),e()}catch(i){n(i instanceof Error?i.message:String(i))}}}>
        <label for="key">Key</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required autofocus
          aria-describedby="key-help" />
        <button>Open</button>
        <p id="key-help" class="quiet">
          The key of <code>admin.key_env</code> in dragoman.yaml, or a client key on this machine.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}function D(e,t){let[n,r]=b({value:void 0,error:void 0}),s=rt(async()=>{try{let o=await oe(e);r({value:o,error:void 0})}catch(o){let i=o instanceof O?o:new O(String(o),0);r(({value:l})=>({value:l,error:i}))}},[e]);return x(()=>{if(s(),t===void 0)return;let o=setInterval(()=>document.hidden||void s(),t);return()=>clearInterval(o)},[s,t]),{...n,reload:()=>void s()}}function lt(e){let[t="",n=""]=e.replace(/^#?\/?/,"").split("?",2);return{view:t,parameters:new URLSearchParams(n)}}function F(e,t={}){let n=new URLSearchParams;for(let[r,s]of Object.entries(t))s!==void 0&&s!==""&&n.set(r,s);return`#/${e}${n.size===0?"":`?${n}`}`}var ct=["text","client","model","upstream","state"];var ie=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let r of n)this.#e.set(r.id,r);for(let r of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(r)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function ut(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(r=>r!=="");return e.filter(r=>(t.client===""||(r.client??"none")===t.client)&&(t.model===""||r.model===t.model)&&(t.upstream===""||r.upstream===t.upstream)&&(t.state===""||Ht(r,t.state))&&(n.length===0||qt(r,n)))}function _t(e){let t=n=>[...new Set(e.flatMap(r=>n(r)??[]))].slice(0,50).sort();return{client:t(({client:n,route:r})=>r===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n)}}function Ut({refused:e,nearMisses:t,failed:n,repaired:r,rejected:s}){return Object.keys(e).length>0||t>0||n>0||r>0||s>0}function ae({state:e}){return e==="waiting"||e==="streaming"}function Ht(e,t){return t==="running"?ae(e):t==="noted"?Ut(e):e.state===t}function qt(e,t){let{client:n,model:r,upstream:s,error:o,route:i,called:l,refused:c,status:u,mode:f,id:p}=e,a=e.nearMisses>0?"near miss":"",d=[n,r,s,o,i,...l,...Object.keys(c),u,f,a,p].join(`
`).toLowerCase();return t.every(m=>d.includes(m))}var jt=2e3,Wt=250,Kt={requests:[],hasContents:!1,state:"connecting"};function ft(){let[e,t]=b(Kt),n=L(new ie).current;return x(()=>{let r,s,o,i=0,l=-1/0,c=!1,u=()=>{o=void 0,l=performance.now(),t({requests:n.latest,hasContents:c,state:"open"})},f=()=>{let a=Math.max(0,Wt-(performance.now()-l));o??=setTimeout(()=>i=requestAnimationFrame(u),a)},p=()=>{r=new EventSource("live"),r.onmessage=({data:a})=>{let d=JSON.parse(a);n.apply(d),c=d.hasContents,f()},r.onerror=()=>{r?.close(),t(a=>({...a,state:"lost"})),s=setTimeout(p,jt)}};return p(),()=>{r?.close(),clearTimeout(s),clearTimeout(o),cancelAnimationFrame(i)}},[]),e}function dt(e){let[t,n]=b(),r=L({...e,selected:t});return r.current={...e,selected:t},x(()=>{let s=o=>{if(o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented)return;let{ids:i,opened:l,open:c,selected:u}=r.current,f=Vt(o,Jt(o.target)),p=o.target?.closest?.("a, button, summary")!=null;if(!(f===void 0||f==="open"&&p))if(f==="filter")o.preventDefault(),document.getElementById("filter")?.focus();else if(f==="leave")o.target.blur();else if(f==="close")c("");else if(f==="open")u!==void 0&&c(u);else{let a=Bt(i,{from:u??l,step:f});n(a),l!==void 0&&a!==void 0&&c(a),document.getElementById(`row-${a}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",s),()=>removeEventListener("keydown",s)},[]),t}function Vt({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Bt(e,{from:t,step:n}){let r=t===void 0?-1:e.indexOf(t);return r<0?e[0]:e[Math.min(e.length-1,Math.max(0,r+n))]}function Jt(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var A="\u2013";function S(e){return e==null?A:e<9.95?`${Number(e.toFixed(e<.995?2:1))} ms`:e<999.5?`${Math.round(e)} ms`:`${(e/1e3).toFixed(e<59995?2:1)} s`}function Xt(e){return e.toLocaleString("en-US")}function Se(e,t,n=`${t}s`){return`${Xt(e)} ${e===1?t:n}`}function K(e){let t=new Date(e);return[t.getHours(),t.getMinutes(),t.getSeconds()].map(n=>String(n).padStart(2,"0")).join(":")}var Te={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},le=class extends P{shouldComponentUpdate(t){let{request:n,isOpened:r,isSelected:s}=this.props;return t.request!==n||t.isOpened!==r||t.isSelected!==s}render({request:t,isOpened:n,isSelected:r,open:s}){let{id:o,state:i,beganAt:l,model:c,client:u,upstream:f,status:p,firstMs:a,durationMs:d,route:m}=t,k=y=>{y.preventDefault(),s(o)};return _`
      <tr id=${`row-${o}`} class=${`${i} ${r?"selected":""}`} aria-current=${n?"true":void 0} onClick=${k}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${Te[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${o}`} aria-label=${`Open the request of ${K(l)}`}>${K(l)}</a></td>
        <td class="c-model" title=${c??""}>${m===null?c??A:_`<code>${m}</code>`}</td>
        <td class="c-client">${u??A}</td>
        <td class="c-upstream">${f??A}</td>
        <td class="number c-status">${p??"\u2026"}</td>
        <td class="number c-first">${S(a)}</td>
        <td class="number c-total">${d===null?"\u2026":S(d)}</td>
        <td class="c-calls">
          <${Ee} request=${t} />
        </td>
      </tr>
    `}};function Ee({request:e}){let{calls:t,called:n,refused:r,failed:s,repaired:o,nearMisses:i,accepted:l,rejected:c,error:u,mode:f}=e,p=Object.values(r).reduce((d,m)=>d+m,0),a=f==="live"?"":" (not converted)";return _`
    ${t>0&&_`<span class=${`chip ${f==="live"?"good":"plain"}`} title=${n.join(", ")}>${Se(t,"call")}${a}</span>`}
    ${l>0&&_`<span class="chip good">${l} accepted</span>`}
    ${c>0&&_`<span class="chip bad">${c} rejected</span>`}
    ${p>0&&_`<span class="chip warn" title=${Object.keys(r).join(", ")}>${p} refused: ${Object.keys(r)[0]}</span>`}
    ${s>0&&_`<span class="chip bad">${s} broke off</span>`}
    ${o>0&&_`<span class="chip plain">${o} repaired</span>`}
    ${i>0&&_`<span class="chip warn">${Se(i,"near miss","near misses")}</span>`}
    ${u!==null&&_`<span class=${`chip ${u==="client_left"?"plain":"bad"}`}>${u}</span>`}
  `}function pt({client:e,isStreamed:t},{chat:n,origin:r}){let s=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${r}${s} \\
  -H 'content-type: application/json' \\
  --data-raw ${zt(n)}
`}function zt(e){return`'${e.replaceAll("'","'\\''")}'`}var Gt="dragoman.playground";function mt(e){return sessionStorage.setItem(Gt,JSON.stringify(e)),F("playground",{from:"live"})}function ce(e){let t=B(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var ue={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function _e(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function ht({marks:e,isRunning:t,focused:n,focus:r}){return e.length===0?_`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:_`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((s,o)=>_`
        <li class=${o===n?"focused":""} onMouseEnter=${()=>r(o)}
          onMouseLeave=${()=>r(void 0)}>
          <${Qt} mark=${s} />
        </li>
      `)}</ol>
  `}function Qt({mark:{reason:e,rule:t,tool:n,detail:r,atMs:s,characters:o}}){let i=_e(e,ce(e)),l=[n===null?"":n,t===""?"":`rule ${t}`,r??"",o===null?"":`${o} characters`].filter(c=>c!=="").join(" \xB7 ");return _`
    <span class=${`chip ${i}`}>${ue[i]}</span>
    <code>${e}</code>
    <span>${l}</span>
    <span class="quiet">after ${S(s)}</span>
    <span class="quiet block">${B(e)?.meaning}</span>
  `}var Yt=["call","broken","near","refused","repair","remark"];function vt({parts:e,marks:t,focused:n,focus:r}){return e.every(({text:s})=>s==="")?_`<p class="empty">No text yet.</p>`:_`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(s=>{let o=s.marks.flatMap(f=>t[f]===void 0?[]:[t[f]]);if(o.length===0)return s.text;let i=o.map(({reason:f})=>_e(f,ce(f))),l=Yt.find(f=>i.includes(f))??"remark",c=o.map(({reason:f,rule:p})=>`${f} (${p})`).join(`
`),u=n!==void 0&&s.marks.includes(n);return _`
        <mark class=${`${l} ${u?"focused":""}`} title=${`${ue[l]}: ${c}`}
          onMouseEnter=${()=>r(s.marks[0])} onMouseLeave=${()=>r(void 0)}>${s.text}</mark>
      `})}</pre>
  `}function $t({parts:e}){return e.length===0?_`<p class="empty">Nothing yet.</p>`:_`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(t=>t.tool===null?Zt(t):_`<${tn} part=${t} tool=${t.tool} />`)}</div>
  `}function Zt({text:e,call:t}){return t===null?_`<pre>${e}</pre>`:_`<pre class="written"><mark class="call">${e}</mark></pre>`}var en={open:"is still written",done:"whole",broken:"broke off"};function tn({part:e,tool:t}){let{text:n,state:r}=e;return _`
    <div class=${`call ${r==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${r&&en[r]}</span></div>
      <pre>${nn(n)}</pre>
    </div>
  `}function nn(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var rn=300;function gt({request:e,hasContents:t,close:n}){let{detail:r,failure:s}=cn(e),[o,i]=b(),l=L(null);x(()=>l.current?.focus(),[]);let c=r?.contents??null;return _`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${l}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${an} request=${e} detail=${r} />
      </div>
      <${on} request=${e} />
      ${s!==""&&_`<p class="notice bad" role="alert">${s}</p>`}
      ${c===null?_`<p class="notice">${ln(e,{hasContents:t,isLoaded:r!==void 0})}</p>`:_`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${vt} parts=${c.before} marks=${r?.marks??[]} focused=${o} focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${$t} parts=${c.after} />
            </section>
          </div>
          ${c.isCut&&_`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      <${ht} marks=${r?.marks??[]} isRunning=${ae(e)} focused=${o} focus=${i} />
    </article>
  `}function on({request:e}){let{client:t,upstream:n,mode:r,status:s,firstMs:o,durationMs:i,addedMs:l,tools:c,beganAt:u,state:f,isStreamed:p}=e,a=[["State",Te[f]],["Status",s??"\u2026"],["Arrived",K(u)],["First token",S(o)],["Total",i===null?"\u2026":S(i)],["Dragoman\u2019s share",S(l)],["Client",t??"unknown"],["Upstream",n??A],["Offered tools",c],["Answer",p?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[r]]];return _`
    <dl class="facts">${a.map(([d,m])=>_`
        <div>
          <dt>${d}</dt>
          <dd>${m}</dd>
        </div>
      `)}</dl>
    <${sn} request=${e} />
    <p class="remarks">
      <${Ee} request=${e} />
    </p>
  `}function sn({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return _`
    <div class="timing" role="img" aria-label=${`${S(e)} until the first token, ${S(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
  `}function an({request:e,detail:t}){let[n,r]=b(""),s=t?.contents;if(s==null)return null;let{chat:o}=s,i=s.before.map(c=>c.text).join("");return _`
    <span class="actions">
      <span role="status" class="quiet">${n}</span>
      ${o!==null&&_`<button onClick=${async()=>{if(o===null)return;let c=pt(e,{chat:o,origin:location.origin});await navigator.clipboard.writeText(c).then(()=>r("Copied"),()=>r("Cannot copy"))}} title="The command has no key">Copy as curl</button>`}
      ${i!==""&&_`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void mt({text:i,client:e.client,chat:o})}>Open in the playground</a>
      `}
    </span>
  `}function ln({client:e,route:t,upstream:n},{hasContents:r,isLoaded:s}){return s?t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":r?e===null?"The client is unknown, so the answer passed unchanged.":"The texts of this request aren't kept anymore.":"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":"Loading\u2026"}function cn(e){let[t,n]=b(),[r,s]=b(""),o=L(-1),{id:i,accepted:l,rejected:c}=e,u=ae(e);return x(()=>{let f=!0,p=async()=>{try{let d=await oe(`live/${encodeURIComponent(i)}?version=${o.current}`);if(!f||d===void 0)return;o.current=d.version,n(d),s("")}catch(d){f&&s(d instanceof Error?d.message:String(d))}};p();let a=u?setInterval(()=>document.hidden||void p(),rn):void 0;return()=>{f=!1,clearInterval(a)}},[i,u,l,c]),{detail:t,failure:r}}var un=100;function yt({parameters:e}){let t=ft(),n=Object.fromEntries(ct.map(c=>[c,e.get(c)??""])),r=re(()=>ut(t.requests,n),[t.requests,e.toString()]),s=t.requests.find(({id:c})=>c===e.get("request")),o=c=>{location.replace(F("live",{...Object.fromEntries(e),...c}))},i=c=>o({request:c}),l=dt({ids:r.map(({id:c})=>c),opened:s?.id,open:i});return _`
    <div class=${`live ${s===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${s===void 0&&_`<h1 class="unseen">Requests</h1>`}
        <${fn} filter=${n} requests=${t.requests} go=${o} />
        <${dn} live=${t} shown=${r.length} />
        <${pn} requests=${r} opened=${s?.id} selected=${l} open=${i} />
      </section>
      ${s!==void 0&&_`
        <${gt}
          key=${s.id} request=${s} hasContents=${t.hasContents} close=${()=>i("")} />
      `}
    </div>
  `}var _n={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function fn({filter:e,requests:t,go:n}){let r=_t(t),s=l=>c=>n({[l]:c.target.value}),o=(l,c,u)=>_`
      <select aria-label=${c} value=${e[l]} onChange=${s(l)}>
        <option value="">${c}</option>
        ${u.map(([f,p])=>_`<option value=${f}>${p}</option>`)}
      </select>
    `,i=l=>[...new Set([...r[l],...e[l]===""?[]:[e[l]]])].map(c=>[c,c]);return _`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${s("text")} />
      ${o("client","All clients",i("client"))}
      ${o("model","All models",i("model"))}
      ${o("upstream","All upstreams",i("upstream"))}
      ${o("state","All states",Object.entries(_n))}
    </form>
  `}function dn({live:e,shown:t}){let{requests:n,state:r}=e;return r==="connecting"?_`<p class="empty">Loading…</p>`:r==="lost"?_`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?_`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:_`<p class="empty">No request matches the filter.</p>`}function pn({requests:e,opened:t,selected:n,open:r}){let[s,o]=b(!1);if(e.length===0)return null;let i=s?e:e.slice(0,un),l=e.length-i.length;return _`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${i.map(c=>_`
              <${le} key=${c.id} request=${c} isOpened=${c.id===t}
                isSelected=${c.id===n} open=${r} />
            `)}
        </tbody>
      </table>
    </div>
    ${l>0&&_`<button class="more" onClick=${()=>o(!0)}>Show ${l} more</button>`}
  `}function bt(){let{value:e,error:t,reload:n}=D("sections/store",3e3);if(t!==void 0)return _`<p class="empty bad">${t.message}</p>`;let r=async s=>{await se(`sections/store/reset?key=${encodeURIComponent(s)}`),n()};return _`
    <h1>Plugins</h1>
    <h2>Memory</h2>
    ${e===void 0||e.length===0?_`<p class="empty">No plugin remembers anything.</p>`:_`<${mn} entries=${e} reset=${r} />`}
  `}function mn({entries:e,reset:t}){return _`
    <div class="wide" tabindex="0" role="region" aria-label="Memory">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Kept for</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({key:n,value:r,leftSeconds:s})=>_`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(r)}</td>
                <td class="number">${s} s</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var wt=["transformed","would_transform","abstained","failed","repaired"],hn={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function kt(){let{value:e,error:t}=D("rules",5e3);return t!==void 0?_`<p class="empty bad">${t.message}</p>`:e===void 0?_`<p class="empty">Loading…</p>`:_`
    <h1>Rules</h1>
    <div class="wide" tabindex="0" role="region" aria-label="Rules">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
            ${wt.map(n=>_`<th scope="col" class="number">${hn[n]}</th>`)}
          </tr>
        </thead>
        <tbody>${e.map(vn)}</tbody>
      </table>
    </div>
  `}function vn({rule:e,description:t,enabled:n,confidence:r,hits:s}){return _`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n?"on":_`<span class="quiet">off</span>`}</td>
      <td class="number">${r.toFixed(2)}</td>
      ${wt.map(o=>_`<td class="number">${s[o]??_`<span class="quiet">0</span>`}</td>`)}
    </tr>
  `}var fe=[{name:"live",title:"Live",load:()=>Promise.resolve(yt)},{name:"rules",title:"Rules",load:()=>Promise.resolve(kt)},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(bt)}];var $n=1e4;function St(){let e=bn(),t=D("status",$n);return t.error?.status===401?_`<${at} onKnown=${t.reload} />`:_`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${fe.map(({name:n,title:r})=>_`<a href=${F(n)} aria-current=${e.view===n?"page":void 0}>${r}</a>`)}
      </nav>
      <${gn} status=${t.value} isLost=${t.error!==void 0} />
    </header>
    <main id="main" tabindex="-1">
      <${yn} key=${e.view} route=${e} />
    </main>
  `}function gn({status:e,isLost:t}){let n=t?"no connection":e===void 0?"":`v${e.version}`;return _`<span class=${`server ${t?"bad":""}`} role="status">${n}</span>`}function yn({route:e}){let[t,n]=b(),[r,s]=b(""),o=fe.find(({name:i})=>i===e.view);return x(()=>{o!==void 0&&(document.title=`${o.title} \xB7 Dragoman`,o.load().then(i=>n(()=>i),i=>s(String(i))))},[o]),o===void 0?_`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:r!==""?_`<p class="empty bad">Cannot load this view: ${r}</p>`:t===void 0?_`<p class="empty">Loading…</p>`:_`
    <${t} parameters=${e.parameters} />
  `}function bn(){let[e,t]=b(xt);return x(()=>{let n=()=>t(xt());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function xt(){let e=lt(location.hash);return e.view===""?{...e,view:fe[0]?.name??""}:e}var Tt=document.getElementById("app");Tt!==null&&Ke(_`<${St} />`,Tt);
