import{b as L}from"./chunk-a7f190cd.js";import{a as x,b as w,c as X,e as T,f as C,g as M,h as v,i as G}from"./chunk-5fd2b989.js";import{a as N,b as I}from"./chunk-6acb5d08.js";import{a as B,b as H,c as s,d as m,e as $,f as b,g as A,j as O,k as z,l as E,m as Y,n as Q,o as S}from"./chunk-613b549e.js";import"./chunk-ff9e0dca.js";function Z({onKnown:e}){let[t,n]=m(""),r=b(null);return $(()=>r.current?.focus(),[]),s`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This proxy’s page needs a key, because it shows who asks what.</p>
      <form onSubmit=${async o=>{o.preventDefault();try{await E("session",r.current?.value.trim()),e()}catch(i){n(O(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${r} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Sign in</button>
        <p id="key-help" class="quiet">
          Whoever runs the proxy has it. On the machine of the proxy, the key that your agent uses works, too.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}function ee({servers:e=[],learnedTools:t=[]}){return[...e.map(({upstream:n,server:r,version:a=""})=>`${n}: ${r} ${a}`.trim()),...t.map(({upstream:n,model:r,reason:a,dialect:o})=>{let i=o===""?"read raw":`tools in the prompt (${o})`;return`${n}, ${r||"any model"}: ${i}, because of ${Ee[a]??a}`})].join(`
`)}var Ee={refused:"a refused request",leaked:"calls in the text",unparsed:"the server's parser"};function te({onEnded:e}){let{value:t}=v("session");return t?.session!==!0?null:s`<button onClick=${()=>void Y("session").then(e,e)}>Sign out</button>`}var Re={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function ne(){let{value:e,error:t}=v("figures",5e3);if(t!==void 0&&e===void 0)return s`<p class="empty bad">${t.message}</p>`;if(e===void 0)return s`<p class="empty">Loading…</p>`;let{canary:n,modes:r}=e;return s`
    <h1>Canary</h1>
    ${n===null?s`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:s`<p class="notice"><strong>${n.sentence}</strong> The live side has ${X(n.share)} of the
          answers.</p>`}
    <${G} kind="mode" rows=${r.map(a=>({...a,name:Re[a.name]??a.name}))} />
  `}var re=["text","client","model","upstream","wire","key","state"];var j=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let r of n)this.#e.set(r.id,r);for(let r of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(r)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function se(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(r=>r!=="");return e.filter(r=>(t.client===""||(r.client??"none")===t.client)&&(t.model===""||r.model===t.model)&&(t.upstream===""||r.upstream===t.upstream)&&(t.wire===""||(r.wire??"none")===t.wire)&&(t.key===""||(r.key??"none")===t.key)&&(t.state===""||Ae(r,t.state))&&(n.length===0||Me(r,n)))}function oe(e){let t=n=>[...new Set(e.flatMap(r=>n(r)??[]))].slice(0,50).sort();return{client:t(({client:n,route:r})=>r===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n),wire:t(({wire:n})=>n),key:t(({key:n,route:r})=>r===null?n??"none":n)}}function Ce({leftAsText:e,nearMisses:t,failed:n,repaired:r,rejected:a}){return Object.keys(e).length>0||t>0||n>0||r>0||a>0}function R({state:e}){return e==="waiting"||e==="streaming"}function Ae(e,t){return t==="running"?R(e):t==="noted"?Ce(e):e.state===t}function Me(e,t){let{client:n,model:r,upstream:a,wire:o,key:i,error:l,route:c,called:d,leftAsText:p,status:u,mode:f,id:h}=e,y=e.nearMisses>0?"near miss":"",g=[n,r,a,o,i,l,c,...d,...Object.keys(p),u,f,y,h].join(`
`).toLowerCase();return t.every(k=>g.includes(k))}var Le=2e3,Ne=50,Ie={requests:[],hasContents:!1,state:"connecting"};function ae(){let[e,t]=m(Ie),n=b(new j).current;return $(()=>{let r,a,o,i=0,l=-1/0,[c,d]=[!1,!1],p=()=>{o=void 0,d&&(setTimeout(()=>l=performance.now()),t({requests:n.latest,hasContents:c,state:"open"}))},u=()=>{let g=Math.max(0,Ne-(performance.now()-l));o??=setTimeout(()=>i=requestAnimationFrame(p),g)},f=()=>{r?.close(),r=void 0,d=!1},h=()=>{clearTimeout(a),!(document.hidden||r!==void 0)&&(r=new EventSource("live"),r.onmessage=({data:g})=>{let k=JSON.parse(g);n.apply(k),[c,d]=[k.hasContents,!0],u()},r.onerror=()=>{f(),t(g=>({...g,state:"lost"})),a=setTimeout(h,Le)})},y=()=>document.hidden?f():h();return h(),document.addEventListener("visibilitychange",y),()=>{document.removeEventListener("visibilitychange",y),f(),clearTimeout(a),clearTimeout(o),cancelAnimationFrame(i)}},[]),e}function ie(e){let[t,n]=m(),r=b({...e,selected:t});return r.current={...e,selected:t},$(()=>{let a=o=>{if(o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented)return;let{ids:i,opened:l,open:c,selected:d}=r.current,p=je(o,_e(o.target)),u=o.target?.closest?.("a, button, summary")!=null;if(!(p===void 0||p==="open"&&u))if(p==="filter")o.preventDefault(),document.getElementById("filter")?.focus();else if(p==="leave")o.target.blur();else if(p==="close")c("");else if(p==="open")d!==void 0&&c(d);else{let f=De(i,{from:d??l,step:p});n(f),l!==void 0&&f!==void 0&&c(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function je({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function De(e,{from:t,step:n}){let r=t===void 0?-1:e.indexOf(t);return r<0?e[0]:e[Math.min(e.length-1,Math.max(0,r+n))]}function _e(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}function le(e){let t=Object.entries(e),n=t.reduce((o,[,i])=>o+i,0),r=t.map(([o,i])=>i===1?o:`${i} ${o}`),a=t.length===1?[t[0][0]]:r;return n===0?"":`${n} left as text (${a.join(", ")})`}var U={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},D=class extends B{shouldComponentUpdate(t){let{request:n,isOpened:r,isSelected:a}=this.props;return t.request!==n||t.isOpened!==r||t.isSelected!==a}render({request:t,isOpened:n,isSelected:r,open:a}){let{id:o,state:i,beganAt:l,model:c,client:d,upstream:p,wire:u,key:f,firstMs:h,durationMs:y,route:g}=t,k=K=>{K.preventDefault(),a(o)};return s`
      <tr id=${`row-${o}`} class=${`${i} ${r?"selected":""}`} aria-current=${n?"true":void 0} onClick=${k}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${U[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${o}`} aria-label=${`Open the request of ${C(l)}`}>${C(l)}</a></td>
        <td class="c-model" title=${c??""}><span>${g===null?c??x:s`<code>${g}</code>`}</span></td>
        <td class="c-client">${d??x}</td>
        <td class="c-key" title=${f??""}>${[u,f].filter(K=>K!==null).join(" \xB7 ")||x}</td>
        <td class="c-upstream">${p??x}</td>
        <td class="number c-status">${V(t)}</td>
        <td class="number c-first">${w(h)}</td>
        <td class="number c-total">${y===null?"\u2026":w(y)}</td>
        <td class="c-calls">
          <${J} request=${t} />
        </td>
      </tr>
    `}};function qe(e){let t=e.indexOf(" (");return t<0?[e,""]:[e.slice(0,t),e.slice(t+1)]}function V({status:e,state:t}){return e===null?"\u2026":t==="error"&&e<400?`${e} error`:String(e)}function J({request:e}){let{calls:t,called:n,leftAsText:r,failed:a,repaired:o,nearMisses:i,accepted:l,rejected:c,error:d,mode:p,tried:u}=e,[f,h]=qe(le(r)),y=p==="live"?"":" (not converted)";return s`
    ${t>0&&s`<span class=${`chip ${p==="live"?"good":"plain"}`} title=${n.join(", ")}>${T(t,"call")}${y}</span>`}
    ${l>0&&s`<span class="chip good">${l} accepted</span>`}
    ${c>0&&s`<span class="chip bad">${c} rejected</span>`}
    ${f!==""&&s`<span class="chip warn" title=${h}>${f} <span class="why">${h}</span></span>`}
    ${a>0&&s`<span class="chip bad">${a} broke off</span>`}
    ${o>0&&s`<span class="chip plain">${o} repaired</span>`}
    ${i>0&&s`<span class="chip warn">${T(i,"near miss","near misses")}</span>`}
    ${u.length>0&&s`<span class="chip warn">after ${u.join(", ")}</span>`}
    ${d!==null&&s`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
  `}function ce({client:e,isStreamed:t},{chat:n,origin:r}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${r}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Fe(n)}
`}function Fe(e){return`'${e.replaceAll("'","'\\''")}'`}function ue({request:e,detail:t}){let[n,r]=m(""),[a,o]=m(!1),i=t?.contents;if(i==null)return null;let{chat:l,before:c}=i,d=c.map(u=>u.text).join("");return s`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${l!==null&&s`<button onClick=${async()=>{let u=ce(e,{chat:l??"",origin:location.origin}),h=await navigator.clipboard?.writeText(u).then(()=>!0,()=>!1)??!1;o(h),r(h?"":u)}} title="The command has no key">Copy as curl</button>`}
      ${d!==""&&s`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void I({text:d,client:e.client,chat:l})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&s`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}var Pe=200;function de(e){let{messages:t,tools:n,...r}=JSON.parse(e);return[pe("settings",JSON.stringify(r,null,2)),...Array.isArray(n)?[We(n)]:[],...Array.isArray(t)?t.map(Ke):[]]}function We(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:T(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Ke(e){let{role:t,content:n,...r}=Object(e),a=Ue(n),o=Object.keys(r).length===0?"":JSON.stringify(r,null,2);return pe(String(t??"message"),[a,o].filter(i=>i!=="").join(`

`))}function Ue(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function pe(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Pe),text:t}}function me({chat:e}){let t=A(()=>de(e),[e]);return s`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:r,text:a})=>s`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${r}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function _(e){let t=L(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var q={call:"call",would:"call, not converted",text:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function F(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":return"call";case"would_transform":return"would";case"abstained":return"text";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function fe({marks:e,isRunning:t,focused:n,focus:r}){return e===null?s`<p class="empty">The decisions of this request aren't kept anymore.</p>`:e.length===0?s`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:s`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((a,o)=>s`
        <li class=${o===n?"focused":""} onMouseEnter=${()=>r(o)}
          onMouseLeave=${()=>r(void 0)}>
          <${Ve} mark=${a} />
        </li>
      `)}</ol>
  `}function Ve({mark:{reason:e,rule:t,tool:n,detail:r,atMs:a,characters:o}}){let i=F(e,_(e)),l=[n===null?"":n,t===""?"":`rule ${t}`,r??"",o===null?"":`${o} characters`].filter(c=>c!=="").join(" \xB7 ");return s`
    <span class=${`chip ${i}`}>${q[i]}</span>
    <code>${e}</code>
    <span>${l}</span>
    <span class="quiet">after ${w(a)}</span>
    <span class="quiet block">${N(L(e)?.meaning??"")}</span>
  `}var Je=["call","would","broken","near","text","repair","remark"];function he({parts:e,isRunning:t,marks:n,focused:r,focus:a}){return e.every(({text:o})=>o==="")?s`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:s`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(o=>{let i=o.marks.flatMap(u=>n[u]===void 0?[]:[n[u]]);if(i.length===0)return o.text;let l=i.map(({reason:u})=>F(u,_(u))),c=Je.find(u=>l.includes(u))??"remark",d=i.map(({reason:u,rule:f})=>`${u} (${f})`).join(`
`),p=r!==void 0&&o.marks.includes(r);return s`
        <mark class=${`${c} ${p?"focused":""}`} title=${`${q[c]}: ${d}`}
          onMouseEnter=${()=>a(o.marks[0])} onMouseLeave=${()=>a(void 0)}>${o.text}</mark>
      `})}</pre>
  `}function $e({parts:e,isRunning:t}){return e.length===0?s`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:s`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?Be(n):s`<${Xe} part=${n} tool=${n.tool} />`)}</div>
  `}function Be({text:e,call:t,isReasoning:n}){return n?s`<pre class="reasoning" title="Reasoning">${e}</pre>`:t===null?s`<pre>${e}</pre>`:s`<pre class="written"><mark class="call">${e}</mark></pre>`}var He={open:"is still written",done:"whole",broken:"broke off"};function Xe({part:e,tool:t}){let{text:n,state:r}=e;return s`
    <div class=${`made ${r==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${r&&He[r]}</span></div>
      <pre>${ze(n)}</pre>
    </div>
  `}function ze(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function ge({request:e,detail:t}){let{client:n,command:r}=e,a=t?.contents??null,o=a?.before.map(l=>l.text).join("")??"",i=()=>void I({text:o,client:n,chat:a?.chat??null});return s`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${o!==""&&s`
        <p><a class="button main" href=${S("playground",{from:"live",derive:"1"})}
            onClick=${i}>Derive a rule in the playground</a></p>
      `}
      ${r!==null&&s`<${Ye} command=${r} />`}
      ${o===""&&s`
        <p>The text of this answer isn’t kept, so no rule can be derived from it here. To keep the next one, set
          <code>admin.contents: true</code> in dragoman.yaml, which applies at once${r===null&&s`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `}function Ye({command:e}){let[t,n]=m("");return s`
    <p>On the command line:</p>
    <pre class="text" tabindex="0" aria-label="The command">${e}</pre>
    <p><button onClick=${async()=>{let o=await navigator.clipboard?.writeText(e).then(()=>!0,()=>!1)??!1;n(o?"Copied":"The browser doesn\u2019t let the page copy: select the command")}}>Copy the command</button> <span role="status" class="quiet">${t}</span></p>
  `}var Qe=300;function ye({request:e,hasContents:t,close:n}){let{detail:r,failure:a}=tt(e),[o,i]=m(),l=b(null);$(()=>l.current?.focus(),[]);let c=r?.contents??null,d=et(e,{hasContents:t,detail:r});return s`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${l}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${ue} request=${e} detail=${r} />
      </div>
      <${Ge} request=${e} />
      ${e.state==="error"&&s`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&s`, error <code>${e.error}</code>`}${e.message!==null&&s`: ${e.message}`}.</p>
      `}
      ${e.nearMisses>0&&s`<${ge} request=${e} detail=${r} />`}
      ${a!==""&&s`<p class="notice bad" role="alert">${a}</p>`}
      ${c===null||d!==void 0?s`<p class="notice">${N(d??"")}</p>`:s`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${he} parts=${c.before} isRunning=${R(e)} marks=${r?.marks??[]} focused=${o}
                focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${$e} parts=${c.after} isRunning=${R(e)} />
            </section>
          </div>
          ${c.isCut&&s`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      ${r!==void 0&&e.client!==null&&s`
        <${fe} marks=${r.marks} isRunning=${R(e)} focused=${o} focus=${i} />
      `}
      ${c?.chat!=null&&s`<${me} chat=${c.chat} />`}
    </article>
  `}function Ge({request:e}){let{client:t,wire:n,key:r,tried:a,upstream:o,mode:i,firstMs:l,durationMs:c,addedMs:d,tools:p,beganAt:u,state:f,isStreamed:h}=e,y=[["State",U[f]],["Status",V(e)],["Arrived",C(u)],["First token",w(l)],["Total",c===null?"\u2026":w(c)],["Dragoman\u2019s share",w(d)],["Client",t??"unknown"],["API",n??x],["Client key",r??"without a name"],["Upstream",(o??x)+(a.length===0?"":`, after ${a.join(", ")}`)],["Offered tools",p],["Answer",h?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[i]]];return s`
    <dl class="facts">${y.map(([g,k])=>s`
        <div>
          <dt>${g}</dt>
          <dd>${k}</dd>
        </div>
      `)}</dl>
    <${Ze} request=${e} />
    <p class="remarks">
      <${J} request=${e} />
    </p>
  `}function Ze({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return s`
    <div class="timing" role="img" aria-label=${`${w(e)} until the first token, ${w(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
    <ul class="legend" aria-hidden="true">
      <li><span class="swatch wait"></span>until the first token</li>
      <li><span class="swatch accent"></span>answer</li>
    </ul>
  `}function et({client:e,route:t,upstream:n,choices:r},{hasContents:a,detail:o}){if(o===void 0)return"Loading\u2026";let i=o.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null?"The client is unknown, so the answer passed unchanged.":r!==1?`The request asks for ${r} answers. Their texts would run into each other, so they aren't kept.`:i?void 0:"The texts of this request aren't kept anymore."}function tt(e){let[t,n]=m(),[r,a]=m(""),o=b(-1),{id:i,accepted:l,rejected:c}=e,d=R(e);return $(()=>{let p=!0,u=async()=>{try{let h=await z(`live/${encodeURIComponent(i)}?version=${o.current}`);if(!p||(a(""),h===void 0))return;o.current=h.version,n(h)}catch(h){p&&a(O(h))}};u();let f=d?setInterval(()=>document.hidden||void u(),Qe):void 0;return()=>{p=!1,clearInterval(f)}},[i,d,l,c]),{detail:t,failure:r}}var nt=60;function be({parameters:e}){let t=ae(),n=Object.fromEntries(re.map(u=>[u,e.get(u)??""])),r=A(()=>se(t.requests,n),[t.requests,e.toString()]),a=rt(t.requests,e.get("request")),[o,i]=m(!1),l=o?r:r.slice(0,nt),c=u=>{location.replace(S("live",{...Object.fromEntries(e),...u}))},d=u=>c({request:u}),p=ie({ids:l.map(({id:u})=>u),opened:a?.id,open:d});return s`
    <div class=${`live ${a===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${a===void 0&&s`<h1 class="unseen">Requests</h1>`}
        <${ot} filter=${n} requests=${t.requests} go=${c} />
        <${it} live=${t} shown=${r.length} />
        <${lt} requests=${l} opened=${a?.id} selected=${p} open=${d} />
        ${l.length<r.length&&s`
          <button class="more" onClick=${()=>i(!0)}>Show ${r.length-l.length} more</button>
        `}
      </section>
      ${a!==void 0&&s`
        <${ye}
          key=${a.id} request=${a} hasContents=${t.hasContents} close=${()=>d("")} />
      `}
    </div>
  `}function rt(e,t){let n=b(),r=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??r}var st={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function ot({filter:e,requests:t,go:n}){let r=oe(t),a=l=>c=>n({[l]:c.target.value}),o=(l,c,d)=>s`
      <select aria-label=${c} value=${e[l]} onChange=${a(l)}>
        <option value="">${c}</option>
        ${d.map(([p,u])=>s`<option value=${p}>${u}</option>`)}
      </select>
    `,i=l=>[...new Set([...r[l],...e[l]===""?[]:[e[l]]])].map(c=>[c,c]);return s`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${a("text")} />
      ${o("client","All clients",i("client"))}
      ${o("model","All models",i("model"))}
      ${o("upstream","All upstreams",i("upstream"))}
      ${o("wire","All APIs",i("wire"))}
      ${at(r.key,e.key)&&o("key","All client keys",i("key"))}
      ${o("state","All states",Object.entries(st))}
    </form>
  `}function at(e,t){return t!==""||e.some(n=>n!=="none")}function it({live:e,shown:t}){let{requests:n,state:r}=e;return r==="connecting"?s`<p class="empty">Loading…</p>`:r==="lost"?s`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?s`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:s`<p class="empty">No request matches the filter.</p>`}function lt({requests:e,opened:t,selected:n,open:r}){return e.length===0?null:s`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-key">API and key</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(a=>s`
              <${D} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${r} />
            `)}
        </tbody>
      </table>
    </div>
  `}function we(){let{value:e,error:t}=v("plugins",5e3),{value:n,error:r,reload:a}=v("sections/store",3e3),o=t??r,i=async l=>{await E(`sections/store/reset?key=${encodeURIComponent(l)}`).catch(()=>{}),a()};return s`
    <h1>Plugins</h1>
    ${o!==void 0&&s`<p class="notice bad" role="alert">${o.message}</p>`}
    ${e===void 0?s`<p class="empty">Loading…</p>`:s`<${ct} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?s`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:s`<${ut} entries=${n} reset=${i} />`}
  `}function ct({plugins:e}){return e.length===0?s`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:s`
    <ol class="plugins">${e.map(({name:t,description:n,options:r,onFailure:a})=>s`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${a==="refuse"&&s`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&s`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(r).map(([o,i])=>s`
              <div>
                <dt><code>${o}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function ut({entries:e,reset:t}){return s`
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
          ${e.map(({key:n,value:r,leftSeconds:a})=>s`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(r)}</td>
                <td class="number">${M(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var P=["transformed","would_transform","abstained","failed","repaired"],dt={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function ke({parameters:e}){let{value:t,error:n}=v("rules",5e3),[r,a]=m(!1),o=e.get("text")??"";if(n!==void 0&&t===void 0)return s`<p class="empty bad">${n.message}</p>`;if(t===void 0)return s`<p class="empty">Loading…</p>`;let i=p=>location.replace(S("rules",{text:p.target.value})),l=pt(t,o),c=!r&&o===""&&l.some(ve),d=c?l.filter(ve):l;return s`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:p})=>p===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${p=>p.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${o} onInput=${i} />
    </form>
    ${d.length===0?s`<p class="empty">No rule matches the filter.</p>`:s`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${P.map(p=>s`<th scope="col" class="number">${dt[p]}</th>`)}
            </tr>
          </thead>
          <tbody>${d.map(mt)}</tbody>
        </table>
      </div>
    `}
    ${c&&s`
      <button class="more" onClick=${()=>a(!0)}>Show all ${l.length} rules</button>
    `}
  `}function ve({hits:e}){return P.some(t=>(e[t]??0)>0)}function pt(e,t){let n=a=>P.reduce((o,i)=>o+(a.hits[i]??0),0),r=t.trim().toLowerCase();return e.filter(({rule:a,description:o})=>`${a}
${o}`.toLowerCase().includes(r)).toSorted((a,o)=>n(o)-n(a)||+(a.whyOff!==null)-+(o.whyOff!==null)||(a.rule<o.rule?-1:1))}function mt({rule:e,description:t,whyOff:n,confidence:r,hits:a}){return s`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?s`<span class="chip good">on</span>`:s`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${r.toFixed(2)}</td>
      ${P.map(o=>s`<td class="number">${a[o]??s`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var W=[{name:"live",title:"Live",load:()=>Promise.resolve(be)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-d6590145.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ke)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-6202c1ae.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(we)},{name:"canary",title:"Canary",load:()=>Promise.resolve(ne)}];var ft=1e4;function Se(){let e=bt(),t=v("status",ft);return t.error?.status===401?s`<${Z} onKnown=${t.reload} />`:s`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${W.map(({name:n,title:r})=>s`<a href=${S(n)} aria-current=${e.view===n?"page":void 0}>${r}</a>`)}
      </nav>
      <${$t} status=${t.value} isLost=${t.error!==void 0} />
      <${te} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${yt} key=${e.view} route=${e} />
    </main>
  `}var Te="Reloaded",ht=5e3;function $t({status:e,isLost:t}){let[n,r]=m("");$(()=>{let i=n===Te?setTimeout(()=>r(""),ht):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{r("Reloading\u2026"),r(await E("reload").then(gt,O))},o=t?"no connection":e===void 0?"":`v${e.version}, up ${M(e.uptimeSeconds)}`;return s`
    <span class=${`server ${t?"bad":""}`} role="status" title=${e===void 0?"":ee(e)}>${n===""?o:n}</span>
    <button onClick=${a}
      title="Read dragoman.yaml, the rules, the clients and the plugins again">Reload settings</button>
  `}function gt({isReloaded:e,errors:t,diagnostics:n}){return e?Te:`Not reloaded: ${T(t,"error")}. ${n[0]?.message??""}`}function yt({route:e}){let[t,n]=m(),[r,a]=m(""),o=W.find(({name:i})=>i===e.view);return $(()=>{o!==void 0&&(document.title=`${o.title} \xB7 Dragoman`,o.load().then(i=>n(()=>i),i=>a(O(i))))},[o]),o===void 0?s`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:r!==""?s`<p class="empty bad">Cannot load this view: ${r}</p>`:t===void 0?s`<p class="empty">Loading…</p>`:s`
    <${t} parameters=${e.parameters} />
  `}function bt(){let[e,t]=m(xe);return $(()=>{let n=()=>t(xe());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function xe(){let e=Q(location.hash);return e.view===""?{...e,view:W[0]?.name??""}:e}var Oe=document.getElementById("app");Oe!==null&&H(s`<${Se} />`,Oe);
