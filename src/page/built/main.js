import{b as C}from"./chunk-f48cc1f3.js";import{a as k,b,c as K,e as w,f as O,g as R,h as v,i as J}from"./chunk-2e442cf5.js";import{a as B}from"./chunk-a15d6239.js";import{a as F,b as P,c as s,d as f,e as h,f as y,g as E,j as W,k as S,l as V,m as U,n as x}from"./chunk-ddeaece2.js";import"./chunk-ff9e0dca.js";function H({onKnown:e}){let[t,n]=f(""),r=y(null);return h(()=>r.current?.focus(),[]),s`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async o=>{o.preventDefault();try{await S("session",r.current?.value.trim()),e()}catch(i){n(i instanceof Error?i.message:String(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${r} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Open</button>
        <p id="key-help" class="quiet">
          The key of <code>admin.key_env</code> in dragoman.yaml, or a client key on this machine.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}function X({onEnded:e}){let{value:t}=v("session");return t?.session!==!0?null:s`<button onClick=${()=>void V("session").then(e,e)}>Sign out</button>`}var ve={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function Q(){let{value:e,error:t}=v("figures",5e3);if(t!==void 0&&e===void 0)return s`<p class="empty bad">${t.message}</p>`;if(e===void 0)return s`<p class="empty">Loading…</p>`;let{canary:n,modes:r}=e;return s`
    <h1>Canary</h1>
    ${n===null?s`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:s`<p class="notice"><strong>${n.sentence}</strong> The live side has ${K(n.share)} of the
          answers.</p>`}
    <${J} kind="mode" rows=${r.map(a=>({...a,name:ve[a.name]??a.name}))} />
  `}var Y=["text","client","model","upstream","state"];var A=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let r of n)this.#e.set(r.id,r);for(let r of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(r)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function z(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(r=>r!=="");return e.filter(r=>(t.client===""||(r.client??"none")===t.client)&&(t.model===""||r.model===t.model)&&(t.upstream===""||r.upstream===t.upstream)&&(t.state===""||ke(r,t.state))&&(n.length===0||Se(r,n)))}function G(e){let t=n=>[...new Set(e.flatMap(r=>n(r)??[]))].slice(0,50).sort();return{client:t(({client:n,route:r})=>r===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n)}}function we({refused:e,nearMisses:t,failed:n,repaired:r,rejected:a}){return Object.keys(e).length>0||t>0||n>0||r>0||a>0}function T({state:e}){return e==="waiting"||e==="streaming"}function ke(e,t){return t==="running"?T(e):t==="noted"?we(e):e.state===t}function Se(e,t){let{client:n,model:r,upstream:a,error:o,route:i,called:l,refused:c,status:d,mode:p,id:u}=e,$=e.nearMisses>0?"near miss":"",m=[n,r,a,o,i,...l,...Object.keys(c),d,p,$,u].join(`
`).toLowerCase();return t.every(g=>m.includes(g))}var xe=2e3,Te=50,Oe={requests:[],hasContents:!1,state:"connecting"};function Z(){let[e,t]=f(Oe),n=y(new A).current;return h(()=>{let r,a,o,i=0,l=-1/0,[c,d]=[!1,!1],p=()=>{o=void 0,d&&(setTimeout(()=>l=performance.now()),t({requests:n.latest,hasContents:c,state:"open"}))},u=()=>{let m=Math.max(0,Te-(performance.now()-l));o??=setTimeout(()=>i=requestAnimationFrame(p),m)},$=()=>{r=new EventSource("live"),r.onmessage=({data:m})=>{let g=JSON.parse(m);n.apply(g),[c,d]=[g.hasContents,!0],u()},r.onerror=()=>{r?.close(),d=!1,t(m=>({...m,state:"lost"})),a=setTimeout($,xe)}};return $(),()=>{r?.close(),clearTimeout(a),clearTimeout(o),cancelAnimationFrame(i)}},[]),e}function ee(e){let[t,n]=f(),r=y({...e,selected:t});return r.current={...e,selected:t},h(()=>{let a=o=>{if(o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented)return;let{ids:i,opened:l,open:c,selected:d}=r.current,p=Ee(o,Ce(o.target)),u=o.target?.closest?.("a, button, summary")!=null;if(!(p===void 0||p==="open"&&u))if(p==="filter")o.preventDefault(),document.getElementById("filter")?.focus();else if(p==="leave")o.target.blur();else if(p==="close")c("");else if(p==="open")d!==void 0&&c(d);else{let $=Re(i,{from:d??l,step:p});n($),l!==void 0&&$!==void 0&&c($),document.getElementById(`row-${$}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function Ee({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Re(e,{from:t,step:n}){let r=t===void 0?-1:e.indexOf(t);return r<0?e[0]:e[Math.min(e.length-1,Math.max(0,r+n))]}function Ce(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var _={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},L=class extends F{shouldComponentUpdate(t){let{request:n,isOpened:r,isSelected:a}=this.props;return t.request!==n||t.isOpened!==r||t.isSelected!==a}render({request:t,isOpened:n,isSelected:r,open:a}){let{id:o,state:i,beganAt:l,model:c,client:d,upstream:p,status:u,firstMs:$,durationMs:m,route:g}=t,ye=be=>{be.preventDefault(),a(o)};return s`
      <tr id=${`row-${o}`} class=${`${i} ${r?"selected":""}`} aria-current=${n?"true":void 0} onClick=${ye}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${_[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${o}`} aria-label=${`Open the request of ${O(l)}`}>${O(l)}</a></td>
        <td class="c-model" title=${c??""}><span>${g===null?c??k:s`<code>${g}</code>`}</span></td>
        <td class="c-client">${d??k}</td>
        <td class="c-upstream">${p??k}</td>
        <td class="number c-status">${u??"\u2026"}</td>
        <td class="number c-first">${b($)}</td>
        <td class="number c-total">${m===null?"\u2026":b(m)}</td>
        <td class="c-calls">
          <${D} request=${t} />
        </td>
      </tr>
    `}};function D({request:e}){let{calls:t,called:n,refused:r,failed:a,repaired:o,nearMisses:i,accepted:l,rejected:c,error:d,mode:p}=e,u=Object.values(r).reduce((m,g)=>m+g,0),$=p==="live"?"":" (not converted)";return s`
    ${t>0&&s`<span class=${`chip ${p==="live"?"good":"plain"}`} title=${n.join(", ")}>${w(t,"call")}${$}</span>`}
    ${l>0&&s`<span class="chip good">${l} accepted</span>`}
    ${c>0&&s`<span class="chip bad">${c} rejected</span>`}
    ${u>0&&s`<span class="chip warn" title=${Object.keys(r).join(", ")}>${u} refused: ${Object.keys(r)[0]}</span>`}
    ${a>0&&s`<span class="chip bad">${a} broke off</span>`}
    ${o>0&&s`<span class="chip plain">${o} repaired</span>`}
    ${i>0&&s`<span class="chip warn">${w(i,"near miss","near misses")}</span>`}
    ${d!==null&&s`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
  `}function te({client:e,isStreamed:t},{chat:n,origin:r}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${r}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Ae(n)}
`}function Ae(e){return`'${e.replaceAll("'","'\\''")}'`}function ne({request:e,detail:t}){let[n,r]=f(""),[a,o]=f(!1),i=t?.contents;if(i==null)return null;let{chat:l,before:c}=i,d=c.map(u=>u.text).join("");return s`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${l!==null&&s`<button onClick=${async()=>{let u=te(e,{chat:l??"",origin:location.origin}),m=await navigator.clipboard?.writeText(u).then(()=>!0,()=>!1)??!1;o(m),r(m?"":u)}} title="The command has no key">Copy as curl</button>`}
      ${d!==""&&s`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void B({text:d,client:e.client,chat:l})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&s`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}var Le=200;function re(e){let{messages:t,tools:n,...r}=JSON.parse(e);return[se("settings",JSON.stringify(r,null,2)),...Array.isArray(n)?[Ne(n)]:[],...Array.isArray(t)?t.map(Me):[]]}function Ne(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:w(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Me(e){let{role:t,content:n,...r}=Object(e),a=Ie(n),o=Object.keys(r).length===0?"":JSON.stringify(r,null,2);return se(String(t??"message"),[a,o].filter(i=>i!=="").join(`

`))}function Ie(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function se(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Le),text:t}}function oe({chat:e}){let t=E(()=>re(e),[e]);return s`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:r,text:a})=>s`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${r}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function N(e){let t=C(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var M={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function I(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function ae({marks:e,isRunning:t,focused:n,focus:r}){return e===null?s`<p class="empty">The decisions of this request aren't kept anymore.</p>`:e.length===0?s`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:s`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((a,o)=>s`
        <li class=${o===n?"focused":""} onMouseEnter=${()=>r(o)}
          onMouseLeave=${()=>r(void 0)}>
          <${je} mark=${a} />
        </li>
      `)}</ol>
  `}function je({mark:{reason:e,rule:t,tool:n,detail:r,atMs:a,characters:o}}){let i=I(e,N(e)),l=[n===null?"":n,t===""?"":`rule ${t}`,r??"",o===null?"":`${o} characters`].filter(c=>c!=="").join(" \xB7 ");return s`
    <span class=${`chip ${i}`}>${M[i]}</span>
    <code>${e}</code>
    <span>${l}</span>
    <span class="quiet">after ${b(a)}</span>
    <span class="quiet block">${C(e)?.meaning}</span>
  `}var qe=["call","broken","near","refused","repair","remark"];function ie({parts:e,isRunning:t,marks:n,focused:r,focus:a}){return e.every(({text:o})=>o==="")?s`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:s`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(o=>{let i=o.marks.flatMap(u=>n[u]===void 0?[]:[n[u]]);if(i.length===0)return o.text;let l=i.map(({reason:u})=>I(u,N(u))),c=qe.find(u=>l.includes(u))??"remark",d=i.map(({reason:u,rule:$})=>`${u} (${$})`).join(`
`),p=r!==void 0&&o.marks.includes(r);return s`
        <mark class=${`${c} ${p?"focused":""}`} title=${`${M[c]}: ${d}`}
          onMouseEnter=${()=>a(o.marks[0])} onMouseLeave=${()=>a(void 0)}>${o.text}</mark>
      `})}</pre>
  `}function le({parts:e,isRunning:t}){return e.length===0?s`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:s`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?_e(n):s`<${Fe} part=${n} tool=${n.tool} />`)}</div>
  `}function _e({text:e,call:t,isReasoning:n}){return n?s`<pre class="reasoning" title="Reasoning">${e}</pre>`:t===null?s`<pre>${e}</pre>`:s`<pre class="written"><mark class="call">${e}</mark></pre>`}var De={open:"is still written",done:"whole",broken:"broke off"};function Fe({part:e,tool:t}){let{text:n,state:r}=e;return s`
    <div class=${`made ${r==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${r&&De[r]}</span></div>
      <pre>${Pe(n)}</pre>
    </div>
  `}function Pe(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Ke=300;function ce({request:e,hasContents:t,close:n}){let{detail:r,failure:a}=Je(e),[o,i]=f(),l=y(null);h(()=>l.current?.focus(),[]);let c=r?.contents??null,d=Ue(e,{hasContents:t,detail:r});return s`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${l}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${ne} request=${e} detail=${r} />
      </div>
      <${We} request=${e} />
      ${e.state==="error"&&s`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&s`, error <code>${e.error}</code>`}.</p>
      `}
      ${a!==""&&s`<p class="notice bad" role="alert">${a}</p>`}
      ${c===null||d!==void 0?s`<p class="notice">${d}</p>`:s`
        <div class="sides">
          <section aria-labelledby="before-title">
            <h2 id="before-title">Before: what the model wrote</h2>
            <${ie} parts=${c.before} isRunning=${T(e)} marks=${r?.marks??[]} focused=${o}
              focus=${i} />
          </section>
          <section aria-labelledby="after-title">
            <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
            <${le} parts=${c.after} isRunning=${T(e)} />
          </section>
        </div>
        ${c.isCut&&s`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
      `}
      ${r!==void 0&&e.client!==null&&s`
        <${ae} marks=${r.marks} isRunning=${T(e)} focused=${o} focus=${i} />
      `}
      ${c?.chat!=null&&s`<${oe} chat=${c.chat} />`}
    </article>
  `}function We({request:e}){let{client:t,upstream:n,mode:r,status:a,firstMs:o,durationMs:i,addedMs:l,tools:c,beganAt:d,state:p,isStreamed:u}=e,$=[["State",_[p]],["Status",a??"\u2026"],["Arrived",O(d)],["First token",b(o)],["Total",i===null?"\u2026":b(i)],["Dragoman\u2019s share",b(l)],["Client",t??"unknown"],["Upstream",n??k],["Offered tools",c],["Answer",u?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[r]]];return s`
    <dl class="facts">${$.map(([m,g])=>s`
        <div>
          <dt>${m}</dt>
          <dd>${g}</dd>
        </div>
      `)}</dl>
    <${Ve} request=${e} />
    <p class="remarks">
      <${D} request=${e} />
    </p>
  `}function Ve({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return s`
    <div class="timing" role="img" aria-label=${`${b(e)} until the first token, ${b(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
  `}function Ue({client:e,route:t,upstream:n,choices:r},{hasContents:a,detail:o}){if(o===void 0)return"Loading\u2026";let i=o.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null?"The client is unknown, so the answer passed unchanged.":r!==1?`The request asks for ${r} answers. Their texts would run into each other, so they aren't kept.`:i?void 0:"The texts of this request aren't kept anymore."}function Je(e){let[t,n]=f(),[r,a]=f(""),o=y(-1),{id:i,accepted:l,rejected:c}=e,d=T(e);return h(()=>{let p=!0,u=async()=>{try{let m=await W(`live/${encodeURIComponent(i)}?version=${o.current}`);if(!p||(a(""),m===void 0))return;o.current=m.version,n(m)}catch(m){p&&a(m instanceof Error?m.message:String(m))}};u();let $=d?setInterval(()=>document.hidden||void u(),Ke):void 0;return()=>{p=!1,clearInterval($)}},[i,d,l,c]),{detail:t,failure:r}}var Be=50;function ue({parameters:e}){let t=Z(),n=Object.fromEntries(Y.map(u=>[u,e.get(u)??""])),r=E(()=>z(t.requests,n),[t.requests,e.toString()]),a=He(t.requests,e.get("request")),[o,i]=f(!1),l=o?r:r.slice(0,Be),c=u=>{location.replace(x("live",{...Object.fromEntries(e),...u}))},d=u=>c({request:u}),p=ee({ids:l.map(({id:u})=>u),opened:a?.id,open:d});return s`
    <div class=${`live ${a===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${a===void 0&&s`<h1 class="unseen">Requests</h1>`}
        <${Qe} filter=${n} requests=${t.requests} go=${c} />
        <${Ye} live=${t} shown=${r.length} />
        <${ze} requests=${l} opened=${a?.id} selected=${p} open=${d} />
        ${l.length<r.length&&s`
          <button class="more" onClick=${()=>i(!0)}>Show ${r.length-l.length} more</button>
        `}
      </section>
      ${a!==void 0&&s`
        <${ce}
          key=${a.id} request=${a} hasContents=${t.hasContents} close=${()=>d("")} />
      `}
    </div>
  `}function He(e,t){let n=y(),r=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??r}var Xe={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function Qe({filter:e,requests:t,go:n}){let r=G(t),a=l=>c=>n({[l]:c.target.value}),o=(l,c,d)=>s`
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
      ${o("state","All states",Object.entries(Xe))}
    </form>
  `}function Ye({live:e,shown:t}){let{requests:n,state:r}=e;return r==="connecting"?s`<p class="empty">Loading…</p>`:r==="lost"?s`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?s`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:s`<p class="empty">No request matches the filter.</p>`}function ze({requests:e,opened:t,selected:n,open:r}){return e.length===0?null:s`
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
          ${e.map(a=>s`
              <${L} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${r} />
            `)}
        </tbody>
      </table>
    </div>
  `}function de(){let{value:e,error:t}=v("plugins",5e3),{value:n,error:r,reload:a}=v("sections/store",3e3),o=t??r,i=async l=>{await S(`sections/store/reset?key=${encodeURIComponent(l)}`).catch(()=>{}),a()};return s`
    <h1>Plugins</h1>
    ${o!==void 0&&s`<p class="notice bad" role="alert">${o.message}</p>`}
    ${e===void 0?s`<p class="empty">Loading…</p>`:s`<${Ge} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?s`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:s`<${Ze} entries=${n} reset=${i} />`}
  `}function Ge({plugins:e}){return e.length===0?s`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:s`
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
  `}function Ze({entries:e,reset:t}){return s`
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
                <td class="number">${R(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var j=["transformed","would_transform","abstained","failed","repaired"],et={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function me({parameters:e}){let{value:t,error:n}=v("rules",5e3),[r,a]=f(!1),o=e.get("text")??"";if(n!==void 0&&t===void 0)return s`<p class="empty bad">${n.message}</p>`;if(t===void 0)return s`<p class="empty">Loading…</p>`;let i=p=>location.replace(x("rules",{text:p.target.value})),l=tt(t,o),c=!r&&o===""&&l.some(pe),d=c?l.filter(pe):l;return s`
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
              ${j.map(p=>s`<th scope="col" class="number">${et[p]}</th>`)}
            </tr>
          </thead>
          <tbody>${d.map(nt)}</tbody>
        </table>
      </div>
    `}
    ${c&&s`
      <button class="more" onClick=${()=>a(!0)}>Show all ${l.length} rules</button>
    `}
  `}function pe({hits:e}){return j.some(t=>(e[t]??0)>0)}function tt(e,t){let n=a=>j.reduce((o,i)=>o+(a.hits[i]??0),0),r=t.trim().toLowerCase();return e.filter(({rule:a,description:o})=>`${a}
${o}`.toLowerCase().includes(r)).toSorted((a,o)=>n(o)-n(a)||+(a.whyOff!==null)-+(o.whyOff!==null)||(a.rule<o.rule?-1:1))}function nt({rule:e,description:t,whyOff:n,confidence:r,hits:a}){return s`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?s`<span class="chip good">on</span>`:s`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${r.toFixed(2)}</td>
      ${j.map(o=>s`<td class="number">${a[o]??s`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var q=[{name:"live",title:"Live",load:()=>Promise.resolve(ue)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-c858fc6e.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(me)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-f60cfe39.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(de)},{name:"canary",title:"Canary",load:()=>Promise.resolve(Q)}];var rt=1e4;function $e(){let e=lt(),t=v("status",rt);return t.error?.status===401?s`<${H} onKnown=${t.reload} />`:s`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${q.map(({name:n,title:r})=>s`<a href=${x(n)} aria-current=${e.view===n?"page":void 0}>${r}</a>`)}
      </nav>
      <${ot} status=${t.value} isLost=${t.error!==void 0} />
      <${X} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${it} key=${e.view} route=${e} />
    </main>
  `}var he="Reloaded",st=5e3;function ot({status:e,isLost:t}){let[n,r]=f("");h(()=>{let i=n===he?setTimeout(()=>r(""),st):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{r("Reloading\u2026"),r(await S("reload").then(at,i=>String(i)))},o=t?"no connection":e===void 0?"":`v${e.version}, up ${R(e.uptimeSeconds)}`;return s`
    <span class=${`server ${t?"bad":""}`} role="status">${n===""?o:n}</span>
    <button onClick=${a} title="Reload configuration, rules, clients and plugins">Reload</button>
  `}function at({isReloaded:e,errors:t,diagnostics:n}){return e?he:`Not reloaded: ${w(t,"error")}. ${n[0]?.message??""}`}function it({route:e}){let[t,n]=f(),[r,a]=f(""),o=q.find(({name:i})=>i===e.view);return h(()=>{o!==void 0&&(document.title=`${o.title} \xB7 Dragoman`,o.load().then(i=>n(()=>i),i=>a(String(i))))},[o]),o===void 0?s`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:r!==""?s`<p class="empty bad">Cannot load this view: ${r}</p>`:t===void 0?s`<p class="empty">Loading…</p>`:s`
    <${t} parameters=${e.parameters} />
  `}function lt(){let[e,t]=f(fe);return h(()=>{let n=()=>t(fe());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function fe(){let e=U(location.hash);return e.view===""?{...e,view:q[0]?.name??""}:e}var ge=document.getElementById("app");ge!==null&&P(s`<${$e} />`,ge);
