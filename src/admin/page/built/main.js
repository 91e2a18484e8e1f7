import{a as x,b as Q}from"./chunk-c93b82e1.js";import{b as A}from"./chunk-e350af72.js";import{a as W,b as K}from"./chunk-815229dd.js";import"./chunk-e8bd4cc0.js";import{a as B,b as H,c as r,d as h,e as y,f as b,g as N,i as v,j as k,k as X,m as T,n as R,o as L,q as E,r as z,s as C,t as G,u as Y,v as S}from"./chunk-580edf07.js";import"./chunk-ff9e0dca.js";function Z({servers:e=[],learnedTools:t=[]}){return[...e.map(({upstream:n,server:s,version:a="",begins:o="",context:i,why:l,warning:c})=>[`${n}: ${s} ${a}`.trim(),i===void 0?"":`${i} tokens of context`,ve[o],l,c].filter(Boolean).join(", ")),...t.map(({upstream:n,model:s,reason:a,dialect:o})=>{let i=o===""?"read raw":`tools in the prompt (${o})`;return`${n}, ${s||"any model"}: ${i}, because of ${ke[a]??a}`})].join(`
`)}var ve={raw:"read raw from the first request",prompted:"tools in the prompt from the first request"},ke={refused:"a refused request",refused_calls:"a refused conversation with calls",unparsed:"the server's parser"};function ee(e,t){for(let n of e.keys()){if(e.size<=t)return;e.delete(n)}}function O({state:e}){return e==="waiting"||e==="streaming"}var te=["text","client","model","upstream","wire","key","state"],xe=500,Te=50,M=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let s of n)this.#e.set(s.id,s);ee(this.#e,xe)}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function ne(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(s=>s!=="");return e.filter(s=>(t.client===""||(s.client??"none")===t.client)&&(t.model===""||s.model===t.model)&&(t.upstream===""||s.upstream===t.upstream)&&(t.wire===""||(s.wire??"none")===t.wire)&&(t.key===""||(s.key??"none")===t.key)&&(t.state===""||Oe(s,t.state))&&(n.length===0||Ee(s,n)))}function se(e){let t=n=>[...new Set(e.flatMap(s=>n(s)??[]))].slice(0,Te).sort();return{client:t(({client:n,route:s})=>s===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n),wire:t(({wire:n})=>n),key:t(({key:n,route:s})=>s===null?n??"none":n)}}function Se({leftAsText:e,nearMisses:t,failed:n,repaired:s,rejected:a}){return Object.keys(e).length>0||t>0||n>0||s>0||a>0}function Oe(e,t){return t==="running"?O(e):t==="noted"?Se(e):e.state===t}function Ee(e,t){let{client:n,model:s,upstream:a,wire:o,key:i,error:l,route:c,called:p,leftAsText:d,status:u,mode:m,id:f}=e,g=e.nearMisses>0?"near miss":"",$=[n,s,a,o,i,l,c,...p,...Object.keys(d),...e.remarks,u,m,g,f].join(`
`).toLowerCase();return t.every(w=>$.includes(w))}var Re=2e3,Ce=50,Ae={requests:[],hasContents:!1,state:"connecting"};function re(){let[e,t]=h(Ae),n=b(new M).current;return y(()=>{let s,a,o,i=0,l=-1/0,[c,p]=[!1,!1],d=()=>{o=void 0,p&&(setTimeout(()=>l=performance.now()),t({requests:n.latest,hasContents:c,state:"open"}))},u=()=>{let $=Math.max(0,Ce-(performance.now()-l));o??=setTimeout(()=>i=requestAnimationFrame(d),$)},m=()=>{s?.close(),s=void 0,p=!1},f=()=>{clearTimeout(a),!(document.hidden||s!==void 0)&&(s=new EventSource("live"),s.onmessage=({data:$})=>{let w=JSON.parse($);n.apply(w),[c,p]=[w.hasContents,!0],u()},s.onerror=()=>{m(),t($=>({...$,state:"lost"})),a=setTimeout(f,Re)})},g=()=>document.hidden?m():f();return f(),document.addEventListener("visibilitychange",g),()=>{document.removeEventListener("visibilitychange",g),m(),clearTimeout(a),clearTimeout(o),cancelAnimationFrame(i)}},[]),e}function oe(e){let[t,n]=h(),s=b({...e,selected:t});return s.current={...e,selected:t},y(()=>{let a=o=>{if(o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented)return;let{ids:i,opened:l,open:c,selected:p}=s.current,d=Ne(o,Me(o.target)),u=o.target?.closest?.("a, button, summary")!=null;if(!(d===void 0||d==="open"&&u))if(d==="filter")o.preventDefault(),document.getElementById("filter")?.focus();else if(d==="leave")o.target.blur();else if(d==="close")c("");else if(d==="open")p!==void 0&&c(p);else{let m=Le(i,{from:p??l,step:d});n(m),l!==void 0&&m!==void 0&&c(m),document.getElementById(`row-${m}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function Ne({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Le(e,{from:t,step:n}){let s=t===void 0?-1:e.indexOf(t);return s<0?e[0]:e[Math.min(e.length-1,Math.max(0,s+n))]}function Me(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}function ae(e){let t=Object.entries(e),n=t.reduce((o,[,i])=>o+i,0),s=t.map(([o,i])=>i===1?o:`${i} ${o}`),a=t.length===1?[t[0][0]]:s;return n===0?"":`${n} left as text (${a.join(", ")})`}var U={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},I=class extends B{shouldComponentUpdate(t){let{request:n,isOpened:s,isSelected:a}=this.props;return t.request!==n||t.isOpened!==s||t.isSelected!==a}render({request:t,isOpened:n,isSelected:s,open:a}){let{id:o,state:i,beganAt:l,model:c,client:p,upstream:d,wire:u,key:m,firstMs:f,durationMs:g,route:$}=t,w=F=>{F.preventDefault(),a(o)};return r`
      <tr id=${`row-${o}`} class=${`${i} ${s?"selected":""}`} aria-current=${n?"true":void 0} onClick=${w}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${U[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${o}`} aria-label=${`Open the request of ${R(l)}`}>${R(l)}</a></td>
        <td class="c-model" title=${c??""}><span>${$===null?c??v:r`<code>${$}</code>`}</span></td>
        <td class="c-client">${p??v}</td>
        <td class="c-key" title=${m??""}>${[u,m].filter(F=>F!==null).join(" \xB7 ")||v}</td>
        <td class="c-upstream">${d??v}</td>
        <td class="number c-status">${V(t)}</td>
        <td class="number c-first">${k(f)}</td>
        <td class="number c-total">${g===null?"\u2026":k(g)}</td>
        <td class="c-calls">
          <${J} request=${t} />
        </td>
      </tr>
    `}};function Ie(e){let t=e.indexOf(" (");return t<0?[e,""]:[e.slice(0,t),e.slice(t+1)]}function V({status:e,state:t}){return e===null?"\u2026":t==="error"&&e<400?`${e} error`:String(e)}function J({request:e}){let{calls:t,called:n,leftAsText:s,failed:a,repaired:o,nearMisses:i,accepted:l,rejected:c}=e,{remarks:p,error:d,mode:u,tried:m}=e,[f,g]=Ie(ae(s)),$=u==="live"?"":" (not converted)";return r`
    ${t>0&&r`<span class=${`chip ${u==="live"?"good":"plain"}`} title=${n.join(", ")}>${T(t,"call")}${$}</span>`}
    ${l>0&&r`<span class="chip good">${l} accepted</span>`}
    ${c>0&&r`<span class="chip bad">${c} rejected</span>`}
    ${f!==""&&r`<span class="chip warn" title=${g}>${f} <span class="why">${g}</span></span>`}
    ${a>0&&r`<span class="chip bad">${a} broke off</span>`}
    ${o>0&&r`<span class="chip plain">${o} repaired</span>`}
    ${i>0&&r`<span class="chip warn">${T(i,"near miss","near misses")}</span>`}
    ${p.map(w=>r`<span class="chip plain">${w}</span>`)}
    ${d!==null&&r`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
    ${m.length>0&&r`<span class="chip warn">after ${m.join(", ")}</span>`}
  `}function j(e){let t=A(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var D={call:"call",would:"call, not converted",text:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function _(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":return"call";case"would_transform":return"would";case"abstained":return"text";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}var je=["call","would","broken","near","text","repair","remark"];function ie({parts:e,isRunning:t,marks:n,focused:s,focus:a}){return e.every(({text:o})=>o==="")?r`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:r`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(o=>{let i=o.marks.flatMap(u=>n[u]===void 0?[]:[n[u]]);if(i.length===0)return o.text;let l=i.map(({reason:u})=>_(u,j(u))),c=je.find(u=>l.includes(u))??"remark",p=i.map(({reason:u,rule:m})=>`${u} (${m})`).join(`
`),d=s!==void 0&&o.marks.includes(s);return r`
        <mark class=${`${c} ${d?"focused":""}`} title=${`${D[c]}: ${p}`}
          onMouseEnter=${()=>a(o.marks[0])} onMouseLeave=${()=>a(void 0)}>${o.text}</mark>
      `})}</pre>
  `}function le({parts:e,isRunning:t}){return e.length===0?r`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:r`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?De(n):r`<${qe} part=${n} tool=${n.tool} />`)}</div>
  `}function De({text:e,call:t,isReasoning:n}){return n?r`
      <div class="reasoning" role="group" aria-label="Reasoning">
        <div class="quiet">Reasoning</div>
        <pre>${e}</pre>
      </div>
    `:t===null?r`<pre>${e}</pre>`:r`<pre class="written"><mark class="call">${e}</mark></pre>`}var _e={open:"is still written",done:"whole",broken:"broke off"};function qe({part:e,tool:t}){let{text:n,state:s}=e;return r`
    <div class=${`made ${s==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${s&&_e[s]}</span></div>
      <pre>${Pe(n)}</pre>
    </div>
  `}function Pe(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Fe=200;function ce(e){let{messages:t,tools:n,...s}=JSON.parse(e);return[ue("settings",JSON.stringify(s,null,2)),...Array.isArray(n)?[We(n)]:[],...Array.isArray(t)?t.map(Ke):[]]}function We(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:T(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Ke(e){let{role:t,content:n,...s}=Object(e),a=Ue(n),o=Object.keys(s).length===0?"":JSON.stringify(s,null,2);return ue(String(t??"message"),[a,o].filter(i=>i!=="").join(`

`))}function Ue(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function ue(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Fe),text:t}}function de({client:e,isStreamed:t},{chat:n,origin:s}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${s}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Ve(n)}
`}function Ve(e){return`'${e.replaceAll("'","'\\''")}'`}var Je=300;function pe({request:e,hasContents:t,close:n}){let{detail:s,failure:a}=Ye(e),[o,i]=h(),l=b(null);y(()=>l.current?.focus(),[]);let c=s?.contents??null,p=Ge(e,{hasContents:t,detail:s});return r`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${l}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${Ze} request=${e} detail=${s} />
      </div>
      <${Be} request=${e} />
      ${e.state==="error"&&r`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&r`, error <code>${e.error}</code>`}${e.message!==null&&r`: ${e.message}`}.</p>
      `}
      ${e.nearMisses>0&&r`<${et} request=${e} detail=${s} />`}
      ${a!==""&&r`<p class="notice bad" role="alert">${a}</p>`}
      ${c===null||p!==void 0?r`<p class="notice">${W(p??"")}</p>`:r`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${ie} parts=${c.before} isRunning=${O(e)} marks=${s?.marks??[]} focused=${o}
                focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${le} parts=${c.after} isRunning=${O(e)} />
            </section>
          </div>
          ${c.isCut&&r`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      ${s!==void 0&&(e.client!==null||s.marks?.length)&&r`
        <${nt} marks=${s.marks} isRunning=${O(e)} focused=${o} focus=${i} />
      `}
      ${c?.chat!=null&&r`<${Qe} chat=${c.chat} />`}
    </article>
  `}function Be({request:e}){let{client:t,wire:n,key:s,tried:a,upstream:o,mode:i,firstMs:l,durationMs:c,addedMs:p,tools:d,beganAt:u,state:m,isStreamed:f}=e,g=[["State",U[m]],["Status",V(e)],["Arrived",R(u)],["First token",k(l)],["Total",c===null?"\u2026":k(c)],["Dragoman\u2019s share",k(p)],["Client",t??"unknown"],["API",n??v],["Client key",s??"without a name"],["Upstream",(o??v)+(a.length===0?"":`, after ${a.join(", ")}`)],["Offered tools",d],["Prompt",He(e)],["Conversation",Xe(e)],["Answer",f?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[i]]];return r`
    <dl class="facts">${g.map(([$,w])=>r`
        <div>
          <dt>${$}</dt>
          <dd>${w}</dd>
        </div>
      `)}</dl>
    <${ze} request=${e} />
    <p class="remarks">
      <${J} request=${e} />
    </p>
  `}function He({promptTokens:e,cachedTokens:t}){return e===void 0?v:t===void 0?`${e} tokens`:`${e} tokens: ${e-t} new, ${t} from the cache`}function Xe({conversationPrompts:e}){if(e===void 0||e.tokens===0)return v;let{requests:t,tokens:n,cached:s}=e,a=Math.round((n-s)/n*100);return`${T(t,"request")} so far: ${a} % of ${n} tokens new`}function ze({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return r`
    <div class="timing" role="img" aria-label=${`${k(e)} until the first token, ${k(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
    <ul class="legend" aria-hidden="true">
      <li><span class="swatch wait"></span>until the first token</li>
      <li><span class="swatch accent"></span>answer</li>
    </ul>
  `}function Ge({client:e,route:t,upstream:n,choices:s},{hasContents:a,detail:o}){if(o===void 0)return"Loading\u2026";let i=o.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null&&o.contents?.before.length===0?"The client is unknown, or it offers no tools, and the answer passed unchanged.":s!==1?`The request asks for ${s} answers. Their texts would run into each other, so they aren't kept.`:i?void 0:"The texts of this request aren't kept anymore."}function Ye(e){let[t,n]=h(),[s,a]=h(""),o=b(-1),{id:i,accepted:l,rejected:c}=e,p=O(e);return y(()=>{let d=!0,u=async()=>{try{let f=await z(`live/${encodeURIComponent(i)}?version=${o.current}`);if(!d||(a(""),f===void 0))return;o.current=f.version,n(f)}catch(f){d&&a(E(f))}};u();let m=p?setInterval(()=>document.hidden||void u(),Je):void 0;return()=>{d=!1,clearInterval(m)}},[i,p,l,c]),{detail:t,failure:s}}function Qe({chat:e}){let t=N(()=>ce(e),[e]);return r`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:s,text:a})=>r`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${s}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function Ze({request:e,detail:t}){let[n,s]=h(""),[a,o]=h(!1),i=t?.contents;if(i==null)return null;let{chat:l,before:c}=i,p=c.map(u=>u.text).join("");return r`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${l!==null&&r`<button onClick=${async()=>{let u=de(e,{chat:l??"",origin:location.origin}),f=await navigator.clipboard?.writeText(u).then(()=>!0,()=>!1)??!1;o(f),s(f?"":u)}} title="The command has no key">Copy as curl</button>`}
      ${p!==""&&r`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void K({text:p,client:e.client,chat:l})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&r`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}function et({request:e,detail:t}){let{client:n,command:s}=e,a=t?.contents??null,o=a?.before.map(l=>l.text).join("")??"",i=()=>void K({text:o,client:n,chat:a?.chat??null});return r`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${o!==""&&r`
        <p><a class="button main" href=${S("playground",{from:"live",derive:"1"})}
            onClick=${i}>Derive a rule in the playground</a></p>
      `}
      ${s!==null&&r`<${tt} command=${s} />`}
      ${o===""&&r`
        <p>The text of this answer isn’t kept, so no rule can be derived from it here. To keep the next one,
          set <code>admin.contents: true</code> in dragoman.yaml, which applies at once${s===null&&r`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `}function tt({command:e}){let[t,n]=h("");return r`
    <p>On the command line:</p>
    <pre class="text" tabindex="0" aria-label="The command">${e}</pre>
    <p><button onClick=${async()=>{let o=await navigator.clipboard?.writeText(e).then(()=>!0,()=>!1)??!1;n(o?"Copied":"The browser doesn\u2019t let the page copy: select the command")}}>Copy the command</button> <span role="status" class="quiet">${t}</span></p>
  `}function nt({marks:e,isRunning:t,focused:n,focus:s}){return e===null?r`<p class="empty">The decisions of this request aren't kept anymore.</p>`:e.length===0?r`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:r`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((a,o)=>r`
        <li class=${o===n?"focused":""} onMouseEnter=${()=>s(o)}
          onMouseLeave=${()=>s(void 0)}>
          <${st} mark=${a} />
        </li>
      `)}</ol>
  `}function st({mark:{reason:e,rule:t,tool:n,detail:s,atMs:a,characters:o}}){let i=_(e,j(e)),l=[n===null?"":n,t===""?"":`rule ${t}`,s??"",o===null?"":`${o} characters`].filter(c=>c!=="").join(" \xB7 ");return r`
    <span class=${`chip ${i}`}>${D[i]}</span>
    <code>${e}</code>
    <span>${l}</span>
    <span class="quiet">after ${k(a)}</span>
    <span class="quiet block">${W(A(e)?.meaning??"")}</span>
  `}var rt=60;function me({parameters:e}){let t=re(),n=Object.fromEntries(te.map(u=>[u,e.get(u)??""])),s=N(()=>ne(t.requests,n),[t.requests,e.toString()]),a=ot(t.requests,e.get("request")),[o,i]=h(!1),l=o?s:s.slice(0,rt),c=u=>{location.replace(S("live",{...Object.fromEntries(e),...u}))},p=u=>c({request:u}),d=oe({ids:l.map(({id:u})=>u),opened:a?.id,open:p});return r`
    <div class=${`live ${a===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${a===void 0&&r`<h1 class="unseen">Requests</h1>`}
        <${it} filter=${n} requests=${t.requests} go=${c} />
        <${ct} live=${t} shown=${s.length} />
        <${ut} requests=${l} opened=${a?.id} selected=${d} open=${p} />
        ${l.length<s.length&&r`
          <button class="more" onClick=${()=>i(!0)}>Show ${s.length-l.length} more</button>
        `}
      </section>
      ${a!==void 0&&r`
        <${pe}
          key=${a.id} request=${a} hasContents=${t.hasContents} close=${()=>p("")} />
      `}
    </div>
  `}function ot(e,t){let n=b(),s=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??s}var at={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function it({filter:e,requests:t,go:n}){let s=se(t),a=l=>c=>n({[l]:c.target.value}),o=(l,c,p)=>r`
      <select aria-label=${c} value=${e[l]} onChange=${a(l)}>
        <option value="">${c}</option>
        ${p.map(([d,u])=>r`<option value=${d}>${u}</option>`)}
      </select>
    `,i=l=>[...new Set([...s[l],...e[l]===""?[]:[e[l]]])].map(c=>[c,c]);return r`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${a("text")} />
      ${o("client","All clients",i("client"))}
      ${o("model","All models",i("model"))}
      ${o("upstream","All upstreams",i("upstream"))}
      ${o("wire","All APIs",i("wire"))}
      ${lt(s.key,e.key)&&o("key","All client keys",i("key"))}
      ${o("state","All states",Object.entries(at))}
    </form>
  `}function lt(e,t){return t!==""||e.some(n=>n!=="none")}function ct({live:e,shown:t}){let{requests:n,state:s}=e;return s==="connecting"?r`<p class="empty">Loading…</p>`:s==="lost"?r`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?r`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:r`<p class="empty">No request matches the filter.</p>`}function ut({requests:e,opened:t,selected:n,open:s}){return e.length===0?null:r`
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
          ${e.map(a=>r`
              <${I} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${s} />
            `)}
        </tbody>
      </table>
    </div>
  `}function fe(){let{value:e,error:t}=x("plugins",5e3),{value:n,error:s,reload:a}=x("sections/store",3e3),o=t??s,i=async l=>{await C(`sections/store/reset?key=${encodeURIComponent(l)}`).catch(()=>{}),a()};return r`
    <h1>Plugins</h1>
    ${o!==void 0&&r`<p class="notice bad" role="alert">${o.message}</p>`}
    ${e===void 0?r`<p class="empty">Loading…</p>`:r`<${dt} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?r`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:r`<${pt} entries=${n} reset=${i} />`}
  `}function dt({plugins:e}){return e.length===0?r`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:r`
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
  `}function pt({entries:e,reset:t}){return r`
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
                <td class="number">${L(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var q=["transformed","would_transform","abstained","failed","repaired"],mt={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function $e({parameters:e}){let{value:t,error:n}=x("rules",5e3),[s,a]=h(!1),o=e.get("text")??"";if(n!==void 0&&t===void 0)return r`<p class="empty bad">${n.message}</p>`;if(t===void 0)return r`<p class="empty">Loading…</p>`;let i=d=>location.replace(S("rules",{text:d.target.value})),l=ft(t,o),c=!s&&o===""&&l.some(he),p=c?l.filter(he):l;return r`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:d})=>d===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${d=>d.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${o} onInput=${i} />
    </form>
    ${p.length===0?r`<p class="empty">No rule matches the filter.</p>`:r`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${q.map(d=>r`<th scope="col" class="number">${mt[d]}</th>`)}
            </tr>
          </thead>
          <tbody>${p.map(ht)}</tbody>
        </table>
      </div>
    `}
    ${c&&r`
      <button class="more" onClick=${()=>a(!0)}>Show all ${l.length} rules</button>
    `}
  `}function he({hits:e}){return q.some(t=>(e[t]??0)>0)}function ft(e,t){let n=a=>q.reduce((o,i)=>o+(a.hits[i]??0),0),s=t.trim().toLowerCase();return e.filter(({rule:a,description:o})=>`${a}
${o}`.toLowerCase().includes(s)).toSorted((a,o)=>n(o)-n(a)||+(a.whyOff!==null)-+(o.whyOff!==null)||(a.rule<o.rule?-1:1))}function ht({rule:e,description:t,whyOff:n,confidence:s,hits:a}){return r`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?r`<span class="chip good">on</span>`:r`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${s.toFixed(2)}</td>
      ${q.map(o=>r`<td class="number">${a[o]??r`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var P=[{name:"live",title:"Live",load:()=>Promise.resolve(me)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-cc5bd5c4.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve($e)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-dbb7db52.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(fe)},{name:"canary",title:"Canary",load:()=>Promise.resolve(gt)}],$t={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function gt(){let{value:e,error:t}=x("figures",5e3);if(t!==void 0&&e===void 0)return r`<p class="empty bad">${t.message}</p>`;if(e===void 0)return r`<p class="empty">Loading…</p>`;let{canary:n,modes:s}=e;return r`
    <h1>Canary</h1>
    ${n===null?r`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:r`<p class="notice"><strong>${n.sentence}</strong> The live side has ${X(n.share)} of the
          answers.</p>`}
    <${Q} kind="mode" rows=${s.map(a=>({...a,name:$t[a.name]??a.name}))} />
  `}var yt=1e4;function ye(){let e=xt(),t=x("status",yt);return t.error?.status===401?r`<${St} onKnown=${t.reload} />`:r`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${P.map(({name:n,title:s})=>r`<a href=${S(n)} aria-current=${e.view===n?"page":void 0}>${s}</a>`)}
      </nav>
      <${wt} status=${t.value} isLost=${t.error!==void 0} />
      <${Tt} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${kt} key=${e.view} route=${e} />
    </main>
  `}var be="Reloaded",bt=5e3;function wt({status:e,isLost:t}){let[n,s]=h("");y(()=>{let i=n===be?setTimeout(()=>s(""),bt):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{s("Reloading\u2026"),s(await C("reload").then(vt,E))},o=t?"no connection":e===void 0?"":`v${e.version}, up ${L(e.uptimeSeconds)}`;return r`
    <span class=${`server ${t?"bad":""}`} role="status" title=${e===void 0?"":Z(e)}>${n===""?o:n}</span>
    <button onClick=${a}
      title="Read dragoman.yaml, the rules, the clients and the plugins again">Reload settings</button>
  `}function vt({isReloaded:e,errors:t,diagnostics:n}){return e?be:`Not reloaded: ${T(t,"error")}. ${n[0]?.message??""}`}function kt({route:e}){let[t,n]=h(),[s,a]=h(""),o=P.find(({name:i})=>i===e.view);return y(()=>{o!==void 0&&(document.title=`${o.title} \xB7 Dragoman`,o.load().then(i=>n(()=>i),i=>a(E(i))))},[o]),o===void 0?r`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:s!==""?r`<p class="empty bad">Cannot load this view: ${s}</p>`:t===void 0?r`<p class="empty">Loading…</p>`:r`
    <${t} parameters=${e.parameters} />
  `}function xt(){let[e,t]=h(ge);return y(()=>{let n=()=>t(ge());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function ge(){let e=Y(location.hash);return e.view===""?{...e,view:P[0]?.name??""}:e}function Tt({onEnded:e}){let{value:t}=x("session");return t?.session!==!0?null:r`<button onClick=${()=>void G("session").then(e,e)}>Sign out</button>`}function St({onKnown:e}){let[t,n]=h(""),s=b(null);return y(()=>s.current?.focus(),[]),r`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This proxy’s page needs a key, because it shows who asks what.</p>
      <form onSubmit=${async o=>{o.preventDefault();try{await C("session",s.current?.value.trim()),e()}catch(i){n(E(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${s} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Sign in</button>
        <p id="key-help" class="quiet">
          Whoever runs the proxy has it. On the machine of the proxy, the key that your agent uses works, too.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}var we=document.getElementById("app");we!==null&&H(r`<${ye} />`,we);
