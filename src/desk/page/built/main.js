import{b as N}from"./chunk-f754fdfe.js";import{a as k,b,c as U,e as S,f as R,g as A,h as v,i as X}from"./chunk-28b06278.js";import{a as Q}from"./chunk-d2b76c1e.js";import{a as W,b as V,c as r,d as m,e as h,f as y,g as L,j as x,k as J,l as T,m as B,n as H,o as O}from"./chunk-613b549e.js";import"./chunk-ff9e0dca.js";function Y({onKnown:e}){let[t,n]=m(""),s=y(null);return h(()=>s.current?.focus(),[]),r`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async o=>{o.preventDefault();try{await T("session",s.current?.value.trim()),e()}catch(i){n(x(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${s} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Open</button>
        <p id="key-help" class="quiet">
          The key of <code>admin.key_env</code> in dragoman.yaml, or a client key on this machine.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}function z({onEnded:e}){let{value:t}=v("session");return t?.session!==!0?null:r`<button onClick=${()=>void B("session").then(e,e)}>Sign out</button>`}var we={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function G(){let{value:e,error:t}=v("figures",5e3);if(t!==void 0&&e===void 0)return r`<p class="empty bad">${t.message}</p>`;if(e===void 0)return r`<p class="empty">Loading…</p>`;let{canary:n,modes:s}=e;return r`
    <h1>Canary</h1>
    ${n===null?r`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:r`<p class="notice"><strong>${n.sentence}</strong> The live side has ${U(n.share)} of the
          answers.</p>`}
    <${X} kind="mode" rows=${s.map(a=>({...a,name:we[a.name]??a.name}))} />
  `}var Z=["text","client","model","upstream","state"];var M=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let s of n)this.#e.set(s.id,s);for(let s of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(s)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function ee(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(s=>s!=="");return e.filter(s=>(t.client===""||(s.client??"none")===t.client)&&(t.model===""||s.model===t.model)&&(t.upstream===""||s.upstream===t.upstream)&&(t.state===""||Se(s,t.state))&&(n.length===0||xe(s,n)))}function te(e){let t=n=>[...new Set(e.flatMap(s=>n(s)??[]))].slice(0,50).sort();return{client:t(({client:n,route:s})=>s===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n)}}function ke({refused:e,nearMisses:t,failed:n,repaired:s,rejected:a}){return Object.keys(e).length>0||t>0||n>0||s>0||a>0}function E({state:e}){return e==="waiting"||e==="streaming"}function Se(e,t){return t==="running"?E(e):t==="noted"?ke(e):e.state===t}function xe(e,t){let{client:n,model:s,upstream:a,error:o,route:i,called:l,refused:c,status:d,mode:p,id:u}=e,f=e.nearMisses>0?"near miss":"",$=[n,s,a,o,i,...l,...Object.keys(c),d,p,f,u].join(`
`).toLowerCase();return t.every(g=>$.includes(g))}var Te=2e3,Oe=50,Ee={requests:[],hasContents:!1,state:"connecting"};function ne(){let[e,t]=m(Ee),n=y(new M).current;return h(()=>{let s,a,o,i=0,l=-1/0,[c,d]=[!1,!1],p=()=>{o=void 0,d&&(setTimeout(()=>l=performance.now()),t({requests:n.latest,hasContents:c,state:"open"}))},u=()=>{let w=Math.max(0,Oe-(performance.now()-l));o??=setTimeout(()=>i=requestAnimationFrame(p),w)},f=()=>{s?.close(),s=void 0,d=!1},$=()=>{clearTimeout(a),!(document.hidden||s!==void 0)&&(s=new EventSource("live"),s.onmessage=({data:w})=>{let C=JSON.parse(w);n.apply(C),[c,d]=[C.hasContents,!0],u()},s.onerror=()=>{f(),t(w=>({...w,state:"lost"})),a=setTimeout($,Te)})},g=()=>document.hidden?f():$();return $(),document.addEventListener("visibilitychange",g),()=>{document.removeEventListener("visibilitychange",g),f(),clearTimeout(a),clearTimeout(o),cancelAnimationFrame(i)}},[]),e}function se(e){let[t,n]=m(),s=y({...e,selected:t});return s.current={...e,selected:t},h(()=>{let a=o=>{if(o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented)return;let{ids:i,opened:l,open:c,selected:d}=s.current,p=Re(o,Le(o.target)),u=o.target?.closest?.("a, button, summary")!=null;if(!(p===void 0||p==="open"&&u))if(p==="filter")o.preventDefault(),document.getElementById("filter")?.focus();else if(p==="leave")o.target.blur();else if(p==="close")c("");else if(p==="open")d!==void 0&&c(d);else{let f=Ce(i,{from:d??l,step:p});n(f),l!==void 0&&f!==void 0&&c(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function Re({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Ce(e,{from:t,step:n}){let s=t===void 0?-1:e.indexOf(t);return s<0?e[0]:e[Math.min(e.length-1,Math.max(0,s+n))]}function Le(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var P={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},I=class extends W{shouldComponentUpdate(t){let{request:n,isOpened:s,isSelected:a}=this.props;return t.request!==n||t.isOpened!==s||t.isSelected!==a}render({request:t,isOpened:n,isSelected:s,open:a}){let{id:o,state:i,beganAt:l,model:c,client:d,upstream:p,status:u,firstMs:f,durationMs:$,route:g}=t,w=C=>{C.preventDefault(),a(o)};return r`
      <tr id=${`row-${o}`} class=${`${i} ${s?"selected":""}`} aria-current=${n?"true":void 0} onClick=${w}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${P[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${o}`} aria-label=${`Open the request of ${R(l)}`}>${R(l)}</a></td>
        <td class="c-model" title=${c??""}><span>${g===null?c??k:r`<code>${g}</code>`}</span></td>
        <td class="c-client">${d??k}</td>
        <td class="c-upstream">${p??k}</td>
        <td class="number c-status">${u??"\u2026"}</td>
        <td class="number c-first">${b(f)}</td>
        <td class="number c-total">${$===null?"\u2026":b($)}</td>
        <td class="c-calls">
          <${K} request=${t} />
        </td>
      </tr>
    `}};function K({request:e}){let{calls:t,called:n,refused:s,failed:a,repaired:o,nearMisses:i,accepted:l,rejected:c,error:d,mode:p}=e,u=Object.values(s).reduce(($,g)=>$+g,0),f=p==="live"?"":" (not converted)";return r`
    ${t>0&&r`<span class=${`chip ${p==="live"?"good":"plain"}`} title=${n.join(", ")}>${S(t,"call")}${f}</span>`}
    ${l>0&&r`<span class="chip good">${l} accepted</span>`}
    ${c>0&&r`<span class="chip bad">${c} rejected</span>`}
    ${u>0&&r`<span class="chip warn" title=${Object.keys(s).join(", ")}>${u} refused: ${Object.keys(s)[0]}</span>`}
    ${a>0&&r`<span class="chip bad">${a} broke off</span>`}
    ${o>0&&r`<span class="chip plain">${o} repaired</span>`}
    ${i>0&&r`<span class="chip warn">${S(i,"near miss","near misses")}</span>`}
    ${d!==null&&r`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
  `}function re({client:e,isStreamed:t},{chat:n,origin:s}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${s}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Ae(n)}
`}function Ae(e){return`'${e.replaceAll("'","'\\''")}'`}function oe({request:e,detail:t}){let[n,s]=m(""),[a,o]=m(!1),i=t?.contents;if(i==null)return null;let{chat:l,before:c}=i,d=c.map(u=>u.text).join("");return r`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${l!==null&&r`<button onClick=${async()=>{let u=re(e,{chat:l??"",origin:location.origin}),$=await navigator.clipboard?.writeText(u).then(()=>!0,()=>!1)??!1;o($),s($?"":u)}} title="The command has no key">Copy as curl</button>`}
      ${d!==""&&r`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void Q({text:d,client:e.client,chat:l})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&r`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}var Ne=200;function ae(e){let{messages:t,tools:n,...s}=JSON.parse(e);return[ie("settings",JSON.stringify(s,null,2)),...Array.isArray(n)?[Me(n)]:[],...Array.isArray(t)?t.map(Ie):[]]}function Me(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:S(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Ie(e){let{role:t,content:n,...s}=Object(e),a=je(n),o=Object.keys(s).length===0?"":JSON.stringify(s,null,2);return ie(String(t??"message"),[a,o].filter(i=>i!=="").join(`

`))}function je(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function ie(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Ne),text:t}}function le({chat:e}){let t=L(()=>ae(e),[e]);return r`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:s,text:a})=>r`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${s}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function j(e){let t=N(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var _={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function q(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function ce({marks:e,isRunning:t,focused:n,focus:s}){return e===null?r`<p class="empty">The decisions of this request aren't kept anymore.</p>`:e.length===0?r`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:r`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((a,o)=>r`
        <li class=${o===n?"focused":""} onMouseEnter=${()=>s(o)}
          onMouseLeave=${()=>s(void 0)}>
          <${_e} mark=${a} />
        </li>
      `)}</ol>
  `}function _e({mark:{reason:e,rule:t,tool:n,detail:s,atMs:a,characters:o}}){let i=q(e,j(e)),l=[n===null?"":n,t===""?"":`rule ${t}`,s??"",o===null?"":`${o} characters`].filter(c=>c!=="").join(" \xB7 ");return r`
    <span class=${`chip ${i}`}>${_[i]}</span>
    <code>${e}</code>
    <span>${l}</span>
    <span class="quiet">after ${b(a)}</span>
    <span class="quiet block">${N(e)?.meaning}</span>
  `}var qe=["call","broken","near","refused","repair","remark"];function ue({parts:e,isRunning:t,marks:n,focused:s,focus:a}){return e.every(({text:o})=>o==="")?r`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:r`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(o=>{let i=o.marks.flatMap(u=>n[u]===void 0?[]:[n[u]]);if(i.length===0)return o.text;let l=i.map(({reason:u})=>q(u,j(u))),c=qe.find(u=>l.includes(u))??"remark",d=i.map(({reason:u,rule:f})=>`${u} (${f})`).join(`
`),p=s!==void 0&&o.marks.includes(s);return r`
        <mark class=${`${c} ${p?"focused":""}`} title=${`${_[c]}: ${d}`}
          onMouseEnter=${()=>a(o.marks[0])} onMouseLeave=${()=>a(void 0)}>${o.text}</mark>
      `})}</pre>
  `}function de({parts:e,isRunning:t}){return e.length===0?r`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:r`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?De(n):r`<${Pe} part=${n} tool=${n.tool} />`)}</div>
  `}function De({text:e,call:t,isReasoning:n}){return n?r`<pre class="reasoning" title="Reasoning">${e}</pre>`:t===null?r`<pre>${e}</pre>`:r`<pre class="written"><mark class="call">${e}</mark></pre>`}var Fe={open:"is still written",done:"whole",broken:"broke off"};function Pe({part:e,tool:t}){let{text:n,state:s}=e;return r`
    <div class=${`made ${s==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${s&&Fe[s]}</span></div>
      <pre>${Ke(n)}</pre>
    </div>
  `}function Ke(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var We=300;function pe({request:e,hasContents:t,close:n}){let{detail:s,failure:a}=Be(e),[o,i]=m(),l=y(null);h(()=>l.current?.focus(),[]);let c=s?.contents??null,d=Je(e,{hasContents:t,detail:s});return r`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${l}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${oe} request=${e} detail=${s} />
      </div>
      <${Ve} request=${e} />
      ${e.state==="error"&&r`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&r`, error <code>${e.error}</code>`}${e.message!==null&&r`: ${e.message}`}.</p>
      `}
      ${a!==""&&r`<p class="notice bad" role="alert">${a}</p>`}
      ${c===null||d!==void 0?r`<p class="notice">${d}</p>`:r`
        <div class="sides">
          <section aria-labelledby="before-title">
            <h2 id="before-title">Before: what the model wrote</h2>
            <${ue} parts=${c.before} isRunning=${E(e)} marks=${s?.marks??[]} focused=${o}
              focus=${i} />
          </section>
          <section aria-labelledby="after-title">
            <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
            <${de} parts=${c.after} isRunning=${E(e)} />
          </section>
        </div>
        ${c.isCut&&r`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
      `}
      ${s!==void 0&&e.client!==null&&r`
        <${ce} marks=${s.marks} isRunning=${E(e)} focused=${o} focus=${i} />
      `}
      ${c?.chat!=null&&r`<${le} chat=${c.chat} />`}
    </article>
  `}function Ve({request:e}){let{client:t,wire:n,upstream:s,mode:a,status:o,firstMs:i,durationMs:l,addedMs:c,tools:d,beganAt:p,state:u,isStreamed:f}=e,$=[["State",P[u]],["Status",o??"\u2026"],["Arrived",R(p)],["First token",b(i)],["Total",l===null?"\u2026":b(l)],["Dragoman\u2019s share",b(c)],["Client",t??"unknown"],["API",n??k],["Upstream",s??k],["Offered tools",d],["Answer",f?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[a]]];return r`
    <dl class="facts">${$.map(([g,w])=>r`
        <div>
          <dt>${g}</dt>
          <dd>${w}</dd>
        </div>
      `)}</dl>
    <${Ue} request=${e} />
    <p class="remarks">
      <${K} request=${e} />
    </p>
  `}function Ue({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return r`
    <div class="timing" role="img" aria-label=${`${b(e)} until the first token, ${b(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
  `}function Je({client:e,route:t,upstream:n,choices:s},{hasContents:a,detail:o}){if(o===void 0)return"Loading\u2026";let i=o.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null?"The client is unknown, so the answer passed unchanged.":s!==1?`The request asks for ${s} answers. Their texts would run into each other, so they aren't kept.`:i?void 0:"The texts of this request aren't kept anymore."}function Be(e){let[t,n]=m(),[s,a]=m(""),o=y(-1),{id:i,accepted:l,rejected:c}=e,d=E(e);return h(()=>{let p=!0,u=async()=>{try{let $=await J(`live/${encodeURIComponent(i)}?version=${o.current}`);if(!p||(a(""),$===void 0))return;o.current=$.version,n($)}catch($){p&&a(x($))}};u();let f=d?setInterval(()=>document.hidden||void u(),We):void 0;return()=>{p=!1,clearInterval(f)}},[i,d,l,c]),{detail:t,failure:s}}var He=60;function me({parameters:e}){let t=ne(),n=Object.fromEntries(Z.map(u=>[u,e.get(u)??""])),s=L(()=>ee(t.requests,n),[t.requests,e.toString()]),a=Xe(t.requests,e.get("request")),[o,i]=m(!1),l=o?s:s.slice(0,He),c=u=>{location.replace(O("live",{...Object.fromEntries(e),...u}))},d=u=>c({request:u}),p=se({ids:l.map(({id:u})=>u),opened:a?.id,open:d});return r`
    <div class=${`live ${a===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${a===void 0&&r`<h1 class="unseen">Requests</h1>`}
        <${Ye} filter=${n} requests=${t.requests} go=${c} />
        <${ze} live=${t} shown=${s.length} />
        <${Ge} requests=${l} opened=${a?.id} selected=${p} open=${d} />
        ${l.length<s.length&&r`
          <button class="more" onClick=${()=>i(!0)}>Show ${s.length-l.length} more</button>
        `}
      </section>
      ${a!==void 0&&r`
        <${pe}
          key=${a.id} request=${a} hasContents=${t.hasContents} close=${()=>d("")} />
      `}
    </div>
  `}function Xe(e,t){let n=y(),s=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??s}var Qe={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function Ye({filter:e,requests:t,go:n}){let s=te(t),a=l=>c=>n({[l]:c.target.value}),o=(l,c,d)=>r`
      <select aria-label=${c} value=${e[l]} onChange=${a(l)}>
        <option value="">${c}</option>
        ${d.map(([p,u])=>r`<option value=${p}>${u}</option>`)}
      </select>
    `,i=l=>[...new Set([...s[l],...e[l]===""?[]:[e[l]]])].map(c=>[c,c]);return r`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${a("text")} />
      ${o("client","All clients",i("client"))}
      ${o("model","All models",i("model"))}
      ${o("upstream","All upstreams",i("upstream"))}
      ${o("state","All states",Object.entries(Qe))}
    </form>
  `}function ze({live:e,shown:t}){let{requests:n,state:s}=e;return s==="connecting"?r`<p class="empty">Loading…</p>`:s==="lost"?r`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?r`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:r`<p class="empty">No request matches the filter.</p>`}function Ge({requests:e,opened:t,selected:n,open:s}){return e.length===0?null:r`
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
          ${e.map(a=>r`
              <${I} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${s} />
            `)}
        </tbody>
      </table>
    </div>
  `}function fe(){let{value:e,error:t}=v("plugins",5e3),{value:n,error:s,reload:a}=v("sections/store",3e3),o=t??s,i=async l=>{await T(`sections/store/reset?key=${encodeURIComponent(l)}`).catch(()=>{}),a()};return r`
    <h1>Plugins</h1>
    ${o!==void 0&&r`<p class="notice bad" role="alert">${o.message}</p>`}
    ${e===void 0?r`<p class="empty">Loading…</p>`:r`<${Ze} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?r`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:r`<${et} entries=${n} reset=${i} />`}
  `}function Ze({plugins:e}){return e.length===0?r`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:r`
    <ol class="plugins">${e.map(({name:t,description:n,options:s,onFailure:a})=>r`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${a==="refuse"&&r`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&r`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(s).map(([o,i])=>r`
              <div>
                <dt><code>${o}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function et({entries:e,reset:t}){return r`
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
          ${e.map(({key:n,value:s,leftSeconds:a})=>r`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(s)}</td>
                <td class="number">${A(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var D=["transformed","would_transform","abstained","failed","repaired"],tt={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function he({parameters:e}){let{value:t,error:n}=v("rules",5e3),[s,a]=m(!1),o=e.get("text")??"";if(n!==void 0&&t===void 0)return r`<p class="empty bad">${n.message}</p>`;if(t===void 0)return r`<p class="empty">Loading…</p>`;let i=p=>location.replace(O("rules",{text:p.target.value})),l=nt(t,o),c=!s&&o===""&&l.some($e),d=c?l.filter($e):l;return r`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:p})=>p===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${p=>p.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${o} onInput=${i} />
    </form>
    ${d.length===0?r`<p class="empty">No rule matches the filter.</p>`:r`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${D.map(p=>r`<th scope="col" class="number">${tt[p]}</th>`)}
            </tr>
          </thead>
          <tbody>${d.map(st)}</tbody>
        </table>
      </div>
    `}
    ${c&&r`
      <button class="more" onClick=${()=>a(!0)}>Show all ${l.length} rules</button>
    `}
  `}function $e({hits:e}){return D.some(t=>(e[t]??0)>0)}function nt(e,t){let n=a=>D.reduce((o,i)=>o+(a.hits[i]??0),0),s=t.trim().toLowerCase();return e.filter(({rule:a,description:o})=>`${a}
${o}`.toLowerCase().includes(s)).toSorted((a,o)=>n(o)-n(a)||+(a.whyOff!==null)-+(o.whyOff!==null)||(a.rule<o.rule?-1:1))}function st({rule:e,description:t,whyOff:n,confidence:s,hits:a}){return r`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?r`<span class="chip good">on</span>`:r`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${s.toFixed(2)}</td>
      ${D.map(o=>r`<td class="number">${a[o]??r`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var F=[{name:"live",title:"Live",load:()=>Promise.resolve(me)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-6fd2d874.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(he)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-856afb31.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(fe)},{name:"canary",title:"Canary",load:()=>Promise.resolve(G)}];var rt=1e4;function ye(){let e=ct(),t=v("status",rt);return t.error?.status===401?r`<${Y} onKnown=${t.reload} />`:r`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${F.map(({name:n,title:s})=>r`<a href=${O(n)} aria-current=${e.view===n?"page":void 0}>${s}</a>`)}
      </nav>
      <${at} status=${t.value} isLost=${t.error!==void 0} />
      <${z} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${lt} key=${e.view} route=${e} />
    </main>
  `}var be="Reloaded",ot=5e3;function at({status:e,isLost:t}){let[n,s]=m("");h(()=>{let i=n===be?setTimeout(()=>s(""),ot):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{s("Reloading\u2026"),s(await T("reload").then(it,x))},o=t?"no connection":e===void 0?"":`v${e.version}, up ${A(e.uptimeSeconds)}`;return r`
    <span class=${`server ${t?"bad":""}`} role="status">${n===""?o:n}</span>
    <button onClick=${a} title="Reload configuration, rules, clients and plugins">Reload</button>
  `}function it({isReloaded:e,errors:t,diagnostics:n}){return e?be:`Not reloaded: ${S(t,"error")}. ${n[0]?.message??""}`}function lt({route:e}){let[t,n]=m(),[s,a]=m(""),o=F.find(({name:i})=>i===e.view);return h(()=>{o!==void 0&&(document.title=`${o.title} \xB7 Dragoman`,o.load().then(i=>n(()=>i),i=>a(x(i))))},[o]),o===void 0?r`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:s!==""?r`<p class="empty bad">Cannot load this view: ${s}</p>`:t===void 0?r`<p class="empty">Loading…</p>`:r`
    <${t} parameters=${e.parameters} />
  `}function ct(){let[e,t]=m(ge);return h(()=>{let n=()=>t(ge());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function ge(){let e=H(location.hash);return e.view===""?{...e,view:F[0]?.name??""}:e}var ve=document.getElementById("app");ve!==null&&V(r`<${ye} />`,ve);
