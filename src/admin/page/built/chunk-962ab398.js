import{c as o,d as w,e as b,f,h,j as i,k as l,l as s,q as p,s as k}from"./chunk-c371a21e.js";function _(e,t){let[n,r]=w({value:void 0,error:void 0}),d=f(!1),u=f(e);u.current=e;let c=h(async()=>{try{let a=await k(e);d.current=!1,u.current===e&&r({value:a,error:void 0})}catch(a){let m=a instanceof p?a:new p(String(a),0);d.current=m.status===401,u.current===e&&r(({value:g})=>({value:g,error:m}))}},[e]);return b(()=>{if(c(),t===void 0)return;let a=setInterval(()=>document.hidden||d.current||void c(),t);return()=>clearInterval(a)},[c,t]),{...n,reload:()=>void c()}}var x={requests:{title:"Requests",of:({requests:e})=>s(e)},errors:{title:"Errors",of:({errors:e})=>s(e)},errorRate:{title:"Error rate",of:({errorRate:e})=>l(e)},answers:{title:"Answers with tools",of:({answers:e})=>s(e)},printed:{title:"Printed calls as text",of:({printedAsTextRate:e})=>l(e)},reached:{title:"Reached the agent as text",of:({reachedAsText:e})=>s(e)},nearMisses:{title:"Near misses",of:({nearMisses:e})=>s(e)},candidates:{title:"Candidates",of:({candidates:e})=>s(e)},attempts:{title:"Attempts",of:({attempts:e})=>s(e)},converted:{title:"Transformed",of:({transformationRate:e})=>l(e)},success:{title:"Success",of:({successRate:e})=>l(e)},accepted:{title:"Accepted",of:({acceptanceRate:e})=>l(e)},repairs:{title:"Repairs",of:({repairs:e})=>s(e)},tokens:{title:"Tokens",of:({tokens:e})=>s(e)},first:{title:"First token, p50",of:({firstMsMedian:e})=>i(e)},firstSlow:{title:"First token, p95",of:({firstMsSlow:e})=>i(e)},total:{title:"Total, p50",of:({durationMsMedian:e})=>i(e)},totalSlow:{title:"Total, p95",of:({durationMsSlow:e})=>i(e)}};function $(e){return e.map(t=>x[t])}var R={model:"Model",rule:"Rule",mode:"Mode",wire:"API",key:"Client key",upstream:"Upstream"},v=["reached","candidates","attempts","success","accepted","repairs"],y=e=>$(e==="rule"?v:["requests","errors","printed",...v,"nearMisses","tokens","first","firstSlow","total","totalSlow"]);function C({kind:e,rows:t}){if(t.length===0)return o`<p class="empty">Nothing yet.</p>`;if(e==="mode")return S(t);let n=y(e);return o`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${e}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${R[e]}</th>
            ${n.map(({title:r})=>o`<th scope="col" class="number">${r}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${t.map(r=>o`
              <tr key=${r.name}>
                <th scope="row">${r.name}</th>
                ${n.map(({of:d})=>o`<td class="number">${d(r)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}function S(e){return o`
    <div class="wide two-sides" tabindex="0" role="region" aria-label="Figures by mode">
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            ${e.map(({name:t})=>o`<th scope="col" class="number">${t}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${y("mode").map(({title:t,of:n})=>o`
              <tr key=${t}>
                <th scope="row">${t}</th>
                ${e.map(r=>o`<td class="number">${n(r)}</td>`)}
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var D={made:{word:"call",title:"Calls",color:"good"},would:{word:"not converted",title:"Not converted",color:"plain"},left:{word:"left as text",title:"Left as text",color:"warn"},near:{word:"near miss",title:"Near misses",color:"warn"},refused:{word:"refused",title:"Refused",color:"warn"},broken:{word:"broke off",title:"Broke off",color:"bad"},lost:{word:"lost",title:"Lost",color:"bad"},dropped:{word:"dropped",title:"Dropped",color:"plain"},repaired:{word:"repair",title:"Repairs",color:"accent"},remark:{word:"remark",title:"Remarks",color:"plain"}},q=["made","would","lost","broken","refused","near","left","dropped","repaired","remark"];export{_ as a,D as b,q as c,C as d};
